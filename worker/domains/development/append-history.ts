/**
 * Development only: appends events with past times to the caller's organisation, the way they would have been recorded then. Usage
 * and roll-ups follow from the append. Sending the same events again changes nothing.
 */
import { z } from 'zod';
import { eventTypeSchema } from '#contracts/console/events';
import type { RecordedEvent } from '#contracts/internal/event-batch';
import { idSchema, instantSchema } from '#contracts/public/text';
import { groupEvents } from '#engine/events/group-events';
import { findDataLocations } from '#worker/db/data-locations';
import { appendEvents } from '#worker/domains/events/append-events';
import { setRetention } from '#worker/domains/events/instruct-stream';
import { requireMembership } from '#worker/domains/sessions/require-membership';
import { invalidField } from '#worker/http/api-error';
import { parse } from '#worker/http/parse';
import { readJson } from '#worker/http/read-json';
import type { RequestContext } from '#worker/http/request-context';

const BODY_LIMITS = { bytes: 8 * 1024 * 1024, values: 1_000_000 };
/** Longer than the history, so that it is not archived at once. */
const RETENTION_DAYS = 35;

/** The fields that decide where an event goes. The rest is stored as it is. */
const recordedEventSchema = z.looseObject({
  id: z.string().regex(/^evt_[a-z0-9]{8,60}$/, 'Must be the ID of an event'),
  time: instantSchema,
  envId: z.string().max(64),
  type: eventTypeSchema,
  response: z.string(),
});

const historySchema = z.strictObject({ orgId: idSchema, events: z.array(recordedEventSchema).max(2_000) });

/** @throws {ApiError} unauthenticated, not-found for strangers, invalid-request naming the field */
export async function appendHistory(ctx: RequestContext): Promise<void> {
  const { orgId, events } = parse(historySchema, await readJson(ctx.request, BODY_LIMITS));
  const scope = await requireMembership(ctx, orgId, {});
  const future = events.findIndex(({ time }) => time > ctx.now);
  if (future !== -1) throw invalidField(`events.${future}.time`, 'Must be in the past');
  const [home] = (await findDataLocations(ctx.db, orgId)) ?? [];
  await setRetention(ctx, scope, RETENTION_DAYS);
  const recorded = (events as unknown as RecordedEvent[]).toSorted((one, other) => one.time - other.time);
  // The same call forms the same groups, so that the stream stores them once.
  let groups = 0;
  const newId = () => `grp_${recorded[0]?.id}_${groups++}`;
  await appendEvents(ctx.env, {
    orgId,
    ...(home === undefined ? {} : { home }),
    groups: groupEvents(recorded, newId),
  });
}
