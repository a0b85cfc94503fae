/** Changes what an environment is called and where it runs: only what was sent. Replicas need not know of it. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Environment, updateEnvironmentSchema } from '#contracts/environments';
import { commitIf, nextUpdatedAt } from '#worker/db/commit-if';
import { environment } from '#worker/db/schema/environments';
import { changedMeanwhile, invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { nameIsTaken } from './create-environment.ts';
import { environmentStands, getEnvironment, nameIsFree } from './store.ts';

/**
 * Repeating a change that stands already is harmless, also with the `updatedAt` of before.
 * @throws {ApiError} not-found; invalid-request for another name of the preview environment; conflict for a name that
 * stands already, or with what stands where somebody else's edit came between
 */
export async function updateEnvironment(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
  { updatedAt, ...edit }: z.output<typeof updateEnvironmentSchema>,
): Promise<Environment> {
  const { db } = ctx;
  const { orgId } = scope;
  const standing = await getEnvironment(db, scope, environmentId);
  const { name = standing.name, description = standing.description, url = standing.url } = edit;
  if (name === standing.name && description === standing.description && url === standing.url) return standing;
  if (standing.type === 'preview' && name !== standing.name) {
    throw invalidField('name', 'The preview environment cannot be renamed');
  }

  const unmet = await commitIf(
    db,
    {
      exists: environmentStands(orgId, environmentId),
      isFresh: environmentStands(orgId, environmentId, updatedAt),
      isFree: nameIsFree(orgId, name, environmentId),
    },
    [
      db
        .update(environment)
        .set({ ...edit, updatedAt: nextUpdatedAt(environment, ctx.now) })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
    ],
  );
  if (unmet === 'exists') throw notFound('The environment');
  if (unmet === 'isFresh') {
    throw changedMeanwhile('The environment', await getEnvironment(db, scope, environmentId));
  }
  if (unmet === 'isFree') throw nameIsTaken(name);
  return getEnvironment(db, scope, environmentId);
}
