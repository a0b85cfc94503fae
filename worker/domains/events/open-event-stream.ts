/** The organisation's event stream. Reads the home location from D1, because the first caller decides where the object is created. */
import { eventStreamStub } from '#objects/stubs';
import { findDataLocations } from '#worker/db/data-locations';
import type { Scope, WorkContext } from '#worker/http/request-context';

export async function openEventStream(ctx: Pick<WorkContext, 'db' | 'env'>, scope: Scope) {
  const locations = await findDataLocations(ctx.db, scope.orgId);
  return eventStreamStub(ctx.env, scope.orgId, locations?.[0]);
}
