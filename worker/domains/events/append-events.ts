/** Appends events that came through the queue; a batch that is delivered again changes nothing. */
import type { EventBatch } from '#contracts/event-batch';
import { eventStreamStub } from '#objects/stubs';
import type { Env } from '#worker/env';

export async function appendEvents(env: Env, batch: EventBatch): Promise<void> {
  const stub = await eventStreamStub(env, batch.orgId, batch.home);
  await stub.append(batch);
}
