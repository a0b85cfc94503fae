/**
 * Deletes an environment, its keys and its ledgers. The row stays, marked as deleted and without its version, so that replicas can be
 * told to refuse everything.
 */
import { and, eq } from 'drizzle-orm';
import { auditRow } from '#worker/db/audit';
import { commitIf } from '#worker/db/commit-if';
import { apiKey, environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { environmentChange } from '#worker/domains/artifacts/workspace-change';
import { ledgerClosing } from '#worker/domains/metering/close-ledgers';
import { invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { environmentStands, getEnvironment } from './store.ts';

/** @throws {ApiError} not-found; invalid-request for the preview environment */
export async function deleteEnvironment(
  ctx: RequestContext,
  scope: MemberScope,
  userId: string,
  environmentId: string,
): Promise<void> {
  const { db } = ctx;
  const { orgId } = scope;
  const standing = await getEnvironment(db, scope, environmentId);
  if (standing.type === 'preview') {
    throw invalidField('environmentId', 'The preview environment cannot be deleted');
  }

  const change = environmentChange(ctx, scope, environmentId);
  const [organisation] = await db
    .select({ locations: organization.dataLocations })
    .from(organization)
    .where(eq(organization.id, orgId));
  const closing = ledgerClosing(ctx, scope, [environmentId], organisation?.locations ?? []);
  const unmet = await commitIf(db, { exists: environmentStands(orgId, environmentId) }, [
    db
      .update(environment)
      .set({ deletedAt: ctx.now, artifactId: null })
      .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
    db.delete(apiKey).where(and(eq(apiKey.environmentId, environmentId), eq(apiKey.orgId, orgId))),
    auditRow(ctx, {
      orgId,
      actorUserId: userId,
      action: 'environment.deleted',
      targetId: environmentId,
      detail: { name: standing.name, type: standing.type },
    }),
    ...change.statements,
    ...closing.statements,
  ]);
  if (unmet !== null) throw notFound('The environment');
  change.announce();
  closing.announce();
}
