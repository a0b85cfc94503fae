/**
 * Sends events to the organisation's event stream. If the stream is overloaded, down or slow, they go to the events queue,
 * and its consumer appends them later. A group is formed once and keeps its id, so one that takes both ways is stored once.
 */
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import type { Location } from '#contracts/public/locations';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { groupEvents } from '#engine/events/group-events';
import { eventStreamStub } from '#objects/stubs';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import type { Env } from '#worker/env';
import { queueMessages } from './queue-messages.ts';

export type EventTargets = Pick<Env, 'EVENT_STREAM' | 'EVENTS_QUEUE'>;

/** Circuit breaker: after an error or silence, the stream is not called for this long. */
const OPEN_CIRCUIT_MS = 2_000;
const MAX_OPEN_CIRCUITS = 10_000;

const circuitOpenUntil = new BoundedCache<string, number>(MAX_OPEN_CIRCUITS / 2);

/** @returns the number of lost events, which neither the stream nor the queue accepted */
export async function sendEvents(
  env: EventTargets,
  orgId: string,
  home: Location | undefined,
  events: readonly RecordedEvent[],
  now: number,
): Promise<number> {
  const groups = groupEvents(events, () => newId('grp', now));
  const batch = home === undefined ? { orgId, groups } : { orgId, home, groups };
  if ((circuitOpenUntil.get(orgId) ?? 0) <= now) {
    const calledAt = Date.now();
    try {
      await (await eventStreamStub(env, orgId, home)).appendGroups(batch, true);
      if (circuitOpenUntil.size > 0) circuitOpenUntil.delete(orgId);
      return 0;
    } catch (error) {
      circuitOpenUntil.set(orgId, now + (Date.now() - calledAt) + OPEN_CIRCUIT_MS);
      log.warn('event stream did not take events, they go through the queue', { orgId, error });
    }
  }
  return enqueue(env, batch, events);
}

async function enqueue(
  env: EventTargets,
  batch: EventBatch,
  events: readonly RecordedEvent[],
): Promise<number> {
  let lost = 0;
  for (const message of queueMessages(batch, events)) {
    try {
      await env.EVENTS_QUEUE.send(message);
    } catch (error) {
      log.error('events queue did not take events', { orgId: batch.orgId, error });
      for (const group of message.batch.groups) lost += group.count;
    }
  }
  return lost;
}
