/** Turns data locations on and off, and tells every environment's replicas in the same batch. */
import { LOCATIONS, type LocationFlags } from '#contracts/locations';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { everyEnvironmentChange } from '#worker/domains/artifacts/workspace-change';
import { invalidField } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext } from '#worker/http/request-context';
import { changeOrganisation, toFlags } from './organisation-store.ts';

/** @throws {ApiError} invalid-request where none would be left */
export async function updateDataLocations(
  ctx: RequestContext,
  caller: Caller,
  scope: MemberScope,
  flags: LocationFlags,
): Promise<LocationFlags> {
  const dataLocations = LOCATIONS.filter((location) => flags[location]);
  if (dataLocations.length === 0)
    throw invalidField('locations', 'At least one data location must stay enabled');
  const change = await everyEnvironmentChange(ctx, scope);
  await commit(ctx.db, [
    changeOrganisation(ctx.db, scope, { dataLocations }, ctx.now),
    auditRow(ctx, {
      orgId: scope.orgId,
      actorUserId: caller.userId,
      action: 'organisation.data-locations-changed',
      targetId: scope.orgId,
      detail: { dataLocations },
    }),
    ...change.statements,
  ]);
  change.announce();
  return toFlags(dataLocations);
}
