/**
 * Enables and disables data locations, and publishes them to every environment's replicas in the same batch. Ledgers of a
 * disabled location hand off what only they know before they are deleted; those of the others learn of an enabled one.
 */

import { sql } from 'drizzle-orm';
import { LOCATIONS, type LocationFlags } from '#contracts/public/locations';
import { HOUR_MS } from '#engine/durations';
import { takeAttempt } from '#worker/db/attempt-limit';
import { findDataLocations } from '#worker/db/data-locations';
import { organization } from '#worker/db/schema/organisations';
import { retiredLedgersOf, toldLedgersOf } from '#worker/domains/metering/retire-ledgers';
import { everyEnvironmentOf } from '#worker/domains/publishing/publications';
import { ApiError, invalidField, rateLimited } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { changeOrganisation, toFlags } from './organisation-store.ts';

const MAX_TRIES = 5;
/** Disabling calls every ledger of the location. */
const DISABLING = { max: 10, windowMs: HOUR_MS };

/**
 * @throws {ApiError} invalid-request when none would remain; rate-limited when locations are disabled too often; conflict when
 * others keep changing them
 */
export async function updateDataLocations(
  ctx: RequestContext,
  scope: MemberScope,
  flags: LocationFlags,
): Promise<LocationFlags> {
  const { orgId } = scope;
  const dataLocations = LOCATIONS.filter((location) => flags[location]);
  if (dataLocations.length === 0) throw invalidField('locations', 'At least one region must stay enabled');
  let isCounted = false;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const before = (await findDataLocations(ctx.db, orgId)) ?? [];
    const disabled = before.filter((location) => !dataLocations.includes(location));
    const staying = before.filter((location) => dataLocations.includes(location));
    const isLarger = dataLocations.length > staying.length;
    if (disabled.length > 0 && !isCounted) await takeDisabling(ctx, orgId);
    isCounted ||= disabled.length > 0;
    const stored = sql`(SELECT ${organization.dataLocations} FROM ${organization} WHERE ${organization.id} = ${orgId})`;
    const { unmet } = await change(ctx, scope, {
      when: { isAsRead: sql`${stored} = ${JSON.stringify(before)}` },
      write: [changeOrganisation(ctx.db, scope, { dataLocations }, ctx.now)],
      audit: {
        action: 'organisation.data-locations-changed',
        targetId: orgId,
        detail: { dataLocations, from: before },
      },
      publish: [
        everyEnvironmentOf(scope),
        retiredLedgersOf(scope, disabled),
        ...(isLarger ? [toldLedgersOf(scope, staying)] : []),
      ],
    });
    if (unmet === null) return toFlags(dataLocations);
  }
  throw new ApiError('conflict', 'Someone else is changing the regions. Try again.');
}

/** @throws {ApiError} rate-limited */
async function takeDisabling({ db, now }: RequestContext, orgId: string): Promise<void> {
  const waitS = await takeAttempt(db, `data-locations/${orgId}`, DISABLING, now);
  if (waitS === null) return;
  const message = `Regions can be disabled ${DISABLING.max} times an hour. Please try again later.`;
  throw rateLimited(message, waitS);
}
