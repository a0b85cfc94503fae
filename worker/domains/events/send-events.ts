/**
 * Brings events to the organisation's event stream, or, where that is overloaded, down or slow, to the events queue, whose
 * consumer appends them later. An event that goes both ways is stored once.
 */
import type { EventBatch, RecordedEvent } from '#contracts/event-batch';
import type { Location } from '#contracts/locations';
import { groupEvents } from '#engine/events/group-events';
import { eventStreamStub } from '#objects/stubs';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { queueMessages } from './queue-messages.ts';

export type EventTargets = Pick<Env, 'EVENT_STREAM' | 'EVENTS_QUEUE'>;

const APPEND_TIMEOUT_MS = 5_000;
/** A stream that failed is left alone for so long: it is overloaded, or soon up again. */
const REST_MS = 2_000;
const MAX_RESTING = 10_000;

const restingUntil = new Map<string, number>();

/** @returns how many were lost: neither stream nor queue took them */
export async function sendEvents(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  events: readonly RecordedEvent[],
  now: number,
): Promise<number> {
  if ((restingUntil.get(orgId) ?? 0) <= now) {
    try {
      await append(env, { orgId, home, groups: groupEvents(events) });
      if (restingUntil.size > 0) restingUntil.delete(orgId);
      return 0;
    } catch (error) {
      if (restingUntil.size >= MAX_RESTING) restingUntil.clear();
      restingUntil.set(orgId, now + REST_MS);
      log.warn('event stream did not take events, they go through the queue', { orgId, error });
    }
  }
  return enqueue(env, orgId, home, events);
}

async function append(env: EventTargets, batch: EventBatch): Promise<void> {
  const stub = await eventStreamStub(env, batch.orgId, batch.home);
  let timer: ReturnType<typeof setTimeout> | null = null;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The event stream did not answer in time')), APPEND_TIMEOUT_MS);
  });
  try {
    await Promise.race([stub.append(batch), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function enqueue(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  events: readonly RecordedEvent[],
): Promise<number> {
  let lost = 0;
  for (const message of queueMessages(orgId, home, events)) {
    try {
      await env.EVENTS_QUEUE.send(message);
    } catch (error) {
      log.error('events queue did not take events', { orgId, error });
      for (const group of message.batch.groups) lost += group.count;
    }
  }
  return lost;
}
