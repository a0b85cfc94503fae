/** Changes an environment's name, description and URL: only the fields that were sent. Replicas do not need them. */
import { and, eq, isNull } from 'drizzle-orm';
import type { z } from 'zod';
import type { Environment, updateEnvironmentSchema } from '#contracts/console/environments';
import { nextUpdatedAt } from '#worker/db/commit-if';
import { changedFields, recordEdit } from '#worker/db/field-changes';
import { environment } from '#worker/db/schema/environments';
import { invalidField } from '#worker/http/api-error';
import { isAsEdited } from '#worker/http/edited-row';
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
  { updatedAt, ...body }: z.output<typeof updateEnvironmentSchema>,
): Promise<Environment> {
  const { db } = ctx;
  const { orgId } = scope;
  const current = await getEnvironment(db, scope, environmentId);
  const edit = changedFields(current, body);
  if (Object.keys(edit).length === 0) return current;
  if (current.type === 'preview' && edit.name !== undefined) {
    throw invalidField('name', 'The preview environment cannot be renamed');
  }

  await change(ctx, scope, {
    when: {
      ...isAsEdited(ctx, scope, {
        what: 'The environment',
        table: environment,
        id: environmentId,
        updatedAt,
        further: isNull(environment.deletedAt),
        readCurrent: () => getEnvironment(db, scope, environmentId),
      }),
      isFree: nameIsFree(orgId, edit.name ?? current.name, environmentId),
    },
    write: [
      db
        .update(environment)
        .set({ ...body, updatedAt: nextUpdatedAt(environment, ctx.now) })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, orgId))),
    ],
    audit: { action: 'environment.changed', targetId: environmentId, detail: recordEdit(current, edit) },
    publish: [],
  });
  return getEnvironment(db, scope, environmentId);
}
