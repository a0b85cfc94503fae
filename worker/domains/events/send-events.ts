/**
 * Sends events to the organisation's event stream. If the stream is overloaded, down or slow, they go to the events queue,
 * and its consumer appends them later. A group is formed once and keeps its id, so one that takes both ways is stored once.
 */
import type { EventBatch, RecordedEvent } from '#contracts/internal/event-batch';
import type { Location } from '#contracts/public/locations';
import { SendPace } from '#engine/events/append-pace';
import { groupEvents } from '#engine/events/group-events';
import { eventStreamStub } from '#objects/stubs';
import { newId } from '#runtime/ids';
import { log } from '#runtime/log';
import type { Env } from '#worker/env';
import { queueMessages } from './queue-messages.ts';

export type EventTargets = Pick<Env, 'EVENT_STREAM' | 'EVENTS_QUEUE'>;

const pace = new SendPace();

/** How long to gather the organisation's events, milliseconds. */
export function pauseBeforeSend(orgId: string): number {
  return pace.pauseMs(orgId);
}

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
  if (pace.mayCall(orgId, now)) {
    const calledAt = Date.now();
    try {
      const stub = await eventStreamStub(env, orgId, home);
      pace.succeed(orgId, await stub.appendGroups(batch, true));
      return 0;
    } catch (error) {
      pace.fail(orgId, now + (Date.now() - calledAt), error);
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
