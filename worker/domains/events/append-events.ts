/** Appends events to the organisation's event stream. A redelivered batch changes nothing. */
import type { EventBatch } from '#contracts/internal/event-batch';
import { eventStreamStub } from '#objects/stubs';
import type { EventsRecorded } from '#runtime/messages';
import type { Env } from '#worker/env';
import type { WorkContext } from '#worker/http/request-context';

/** Consumer of events.recorded. */
export async function appendQueuedEvents({ env }: WorkContext, { batch }: EventsRecorded): Promise<void> {
  await appendEvents(env, batch);
}

export async function appendEvents(env: Env, batch: EventBatch): Promise<void> {
  const stub = await eventStreamStub(env, batch.orgId, batch.home);
  await stub.appendGroups(batch);
}
