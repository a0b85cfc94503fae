/** Appends events to the organisation's event stream. A redelivered batch changes nothing. */
import type { EventBatch } from '#contracts/internal/event-batch';
import { eventStreamStub } from '#objects/stubs';
import type { EventsRecorded } from '#runtime/messages';
import type { Env } from '#worker/env';
import type { WorkContext } from '#worker/http/request-context';
import { appendJoined } from './append-joined.ts';

/** Consumer of events.recorded. @returns one promise per message */
export function appendQueuedEvents(
  { env }: Pick<WorkContext, 'env'>,
  messages: readonly EventsRecorded[],
): readonly Promise<void>[] {
  return appendJoined(
    messages.map(({ batch }) => batch),
    (batch) => appendEvents(env, batch),
  );
}

export async function appendEvents(env: Env, batch: EventBatch): Promise<void> {
  const stub = await eventStreamStub(env, batch.orgId, batch.home);
  await stub.appendGroups(batch);
}
