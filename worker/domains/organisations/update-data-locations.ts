/**
 * Turns data locations on and off, and tells every environment's replicas in the same batch. The ledgers of a location
 * that is turned off hand over what they alone know before they go.
 */
import { eq, sql } from 'drizzle-orm';
import { LOCATIONS, type Location, type LocationFlags } from '#contracts/locations';
import { auditRow } from '#worker/db/audit';
import { organization } from '#worker/db/schema/organisations';
import { commitForReplicas } from '#worker/domains/artifacts/commit-for-replicas';
import { closingOf, ledgerClosing } from '#worker/domains/metering/close-ledgers';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import { changeOrganisation, toFlags } from './organisation-store.ts';

const MAX_TRIES = 5;

/** @throws {ApiError} invalid-request where none would be left; conflict where others keep switching */
export async function updateDataLocations(
  ctx: RequestContext,
  caller: Caller,
  scope: MemberScope,
  flags: LocationFlags,
): Promise<LocationFlags> {
  const { orgId } = scope;
  const dataLocations = LOCATIONS.filter((location) => flags[location]);
  if (dataLocations.length === 0)
    throw invalidField('locations', 'At least one data location must stay enabled');
  const audit = auditRow(ctx, {
    orgId,
    actorUserId: caller.userId,
    action: 'organisation.data-locations-changed',
    targetId: orgId,
    detail: { dataLocations },
  });

  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const before = await readLocations(ctx, scope);
    const turnedOff = before.filter((location) => !dataLocations.includes(location));
    let closing = closingOf(ctx, []);
    const unmet = await commitForReplicas(
      ctx,
      scope,
      {
        isAsRead: sql`(SELECT ${organization.dataLocations} FROM ${organization} WHERE ${organization.id} = ${orgId}) = ${JSON.stringify(before)}`,
      },
      (environmentIds) => {
        closing = ledgerClosing(ctx, scope, environmentIds, turnedOff);
        return [changeOrganisation(ctx.db, scope, { dataLocations }, ctx.now), audit, ...closing.statements];
      },
    );
    if (unmet === null) {
      closing.announce();
      return toFlags(dataLocations);
    }
  }
  throw new ApiError('conflict', 'The data locations are being changed by others at this moment. Try again.');
}

async function readLocations({ db }: RequestContext, { orgId }: Scope): Promise<readonly Location[]> {
  const [row] = await db
    .select({ locations: organization.dataLocations })
    .from(organization)
    .where(eq(organization.id, orgId));
  return row?.locations ?? [];
}
