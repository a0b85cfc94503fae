/** The organisation's event stream, for the console. Where it is asked before anything was recorded it is made at home. */
import { eq } from 'drizzle-orm';
import { eventStreamStub } from '#objects/stubs';
import { organization } from '#worker/db/schema/organisations';
import type { Scope, WorkContext } from '#worker/http/request-context';

export async function openEventStream(ctx: Pick<WorkContext, 'db' | 'env'>, scope: Scope) {
  const row = await ctx.db
    .select({ dataLocations: organization.dataLocations })
    .from(organization)
    .where(eq(organization.id, scope.orgId))
    .get();
  return eventStreamStub(ctx.env, scope.orgId, row?.dataLocations[0]);
}
