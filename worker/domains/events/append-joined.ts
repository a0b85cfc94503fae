/**
 * Appends the batches of many messages: those of an organisation are one append, and no organisation waits for another. A stream that
 * had refused events would otherwise get the same number of calls again from the queue.
 */
import type { EventBatch } from '#contracts/internal/event-batch';
import { isOverloaded } from '#engine/outages/breakers';
import { SilentError } from '#engine/outages/in-time';

/**
 * A joined append that fails is repeated batch by batch, so that one batch does not fail the others; but not while the stream is
 * overloaded or silent, which more calls would prolong.
 * @returns one promise per batch
 */
export function appendJoined(
  batches: readonly EventBatch[],
  append: (batch: EventBatch) => Promise<void>,
): readonly Promise<void>[] {
  const byOrganisation = Map.groupBy(batches, ({ orgId }) => orgId);
  const joined = new Map([...byOrganisation].map(([orgId, own]) => [orgId, append(joinedBatch(orgId, own))]));
  return batches.map(async (batch) => {
    try {
      await joined.get(batch.orgId);
    } catch (error) {
      const isAlone = byOrganisation.get(batch.orgId)?.length === 1;
      if (isAlone || isOverloaded(error) || error instanceof SilentError) throw error;
      await append(batch);
    }
  });
}

function joinedBatch(orgId: string, batches: readonly EventBatch[]): EventBatch {
  const home = batches.find((batch) => batch.home !== undefined)?.home;
  return { orgId, ...(home === undefined ? {} : { home }), groups: batches.flatMap(({ groups }) => groups) };
}
