/** Changes an environment's name, description and URL: only the fields that were sent. Replicas do not need them. */
import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { Environment, updateEnvironmentSchema } from '#contracts/console/environments';
import { lastActor } from '#worker/db/audit';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { environmentExists } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { changedMeanwhile, invalidField, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getEnvironment, nameIsFree } from './store.ts';

/**
 * Idempotent: an edit that changes nothing succeeds, even with an outdated `updatedAt`.
 * @throws {ApiError} not-found; invalid-request when the preview environment is renamed; conflict for a name that
 * exists, or with the current environment when somebody else edited it meanwhile
 */
export async function updateEnvironment(
  ctx: RequestContext,
  scope: MemberScope,
  environmentId: string,
  { updatedAt, ...edit }: z.output<typeof updateEnvironmentSchema>,
): Promise<Environment> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getEnvironment(db, scope, environmentId);
  const { name = current.name, description = current.description, url = current.url } = edit;
  if (name === current.name && description === current.description && url === current.url) return current;
  if (current.type === 'preview' && name !== current.name) {
    throw invalidField('name', 'The preview environment cannot be renamed');
  }

  await change(ctx, scope, {
    when: {
      exists: [environmentExists(orgId, environmentId), () => notFound('The environment')],
      isFresh: [
        environmentExists(orgId, environmentId, updatedAt),
        async () => {
          const now = await getEnvironment(db, scope, environmentId);
          return changedMeanwhile('The environment', now, await lastActor(db, orgId, environmentId));
        },
      ],
      isFree: nameIsFree(orgId, name, environmentId),
    },
    write: [
      db
        .update(environment)
        .set({ ...edit, updatedAt: nextUpdatedAt(environment, ctx.now) })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
    ],
    audit: { action: 'environment.changed', targetId: environmentId, detail: { fields: Object.keys(edit) } },
    publish: [],
  });
  return getEnvironment(db, scope, environmentId);
}
