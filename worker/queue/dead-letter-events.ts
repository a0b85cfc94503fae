/**
 * Events of dead letters: up to 128 KB a message, which D1, shared by all organisations, has no room for in an outage. They are in
 * R2, and the row says where. Rows of earlier releases contain them.
 */
import { z } from 'zod';
import type { EventsRecorded, QueueMessage } from '#runtime/messages';
import type { Env } from '#worker/env';

const storedEventsSchema = z.object({
  type: z.literal('events.recorded'),
  orgId: z.string(),
  /** How many. */
  events: z.int(),
  /** Key of the R2 object that contains the message. */
  key: z.string(),
});
/** The body of a row whose events are in R2. */
export type StoredEvents = z.infer<typeof storedEventsSchema>;

type Bucket = Pick<Env, 'EVENT_ARCHIVE'>;

/** Below it, an organisation's deletion finds the events of its dead letters. */
export function deadEventsPrefix(orgId: string): string {
  return `dead-letters/${orgId}/`;
}

export function countEvents({ batch }: EventsRecorded): number {
  return batch.groups.reduce((sum, group) => sum + group.count, 0);
}

/** Puts the events into R2. @param id of the dead letter: a message that is delivered again replaces its object */
export async function storeEvents(
  { EVENT_ARCHIVE: bucket }: Bucket,
  id: string,
  message: EventsRecorded,
): Promise<StoredEvents> {
  const { orgId } = message.batch;
  const key = `${deadEventsPrefix(orgId)}${id}.json`;
  await bucket.put(key, JSON.stringify(message));
  return { type: message.type, orgId, events: countEvents(message), key };
}

/** @returns null: the row contains its message */
export function storedEventsOf(body: unknown): StoredEvents | null {
  return storedEventsSchema.safeParse(body).data ?? null;
}

/** The message of a row. @returns null if its events are gone from R2 */
export async function readDeadMessage(
  { EVENT_ARCHIVE: bucket }: Bucket,
  body: unknown,
): Promise<QueueMessage | null> {
  const stored = storedEventsOf(body);
  if (stored === null) return body as QueueMessage;
  const object = await bucket.get(stored.key);
  return object === null ? null : object.json<QueueMessage>();
}

/** After the rows. A failure leaves objects behind, which only the organisation's deletion finds. */
export async function deleteEvents(
  { EVENT_ARCHIVE: bucket }: Bucket,
  bodies: readonly unknown[],
): Promise<void> {
  const keys = bodies.flatMap((body) => storedEventsOf(body)?.key ?? []);
  if (keys.length > 0) await bucket.delete(keys);
}
