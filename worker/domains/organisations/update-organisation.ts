/** Changes an organisation's settings. An edit based on an outdated state is a conflict. */
import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Organisation, updateOrganisationSchema } from '#contracts/console/organisations';
import { lastActor } from '#worker/db/audit';
import { recordEdit } from '#worker/db/field-changes';
import { organization } from '#worker/db/schema/organisations';
import { workspaceOf } from '#worker/domains/publishing/publications';
import { changedMeanwhile } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { changeOrganisation, getOrganisation, toOrganisation } from './organisation-store.ts';

/** @throws {ApiError} conflict, with the current organisation */
export async function updateOrganisation(
  ctx: RequestContext,
  scope: MemberScope,
  { updatedAt, ...body }: z.output<typeof updateOrganisationSchema>,
): Promise<Organisation> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getOrganisation(db, scope);
  const read = async () => toOrganisation(await getOrganisation(db, scope), scope.permissions);
  const isIt = and(
    eq(organization.id, orgId),
    updatedAt === undefined ? undefined : eq(organization.updatedAt, updatedAt),
  );
  await change(ctx, scope, {
    when: {
      isFresh: [
        sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isIt})`,
        async () => changedMeanwhile('The organisation', await read(), await lastActor(db, orgId, orgId)),
      ],
    },
    write: [changeOrganisation(db, scope, body, ctx.now)],
    audit: {
      action: 'organisation.changed',
      targetId: orgId,
      detail: recordEdit(current, body),
    },
    // Versions are compiled with the zone.
    publish: body.zone === undefined || body.zone === current.zone ? [] : [workspaceOf(scope)],
  });
  return read();
}
