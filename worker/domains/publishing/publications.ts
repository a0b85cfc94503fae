/**
 * What `change` publishes of an organisation: each raises a revision or generation and has the message that publishes it. If
 * that message is lost, cron sends it again.
 */
import { and, eq, sql } from 'drizzle-orm';
import { readLiveEnvironments } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { boundedWorkspaceSize } from '#worker/db/workspace-size';
import type { Scope } from '#worker/http/request-context';
import type { ChangeContext, Publication, Publish } from '#worker/queue/change';

/**
 * Features, plans or workflows changed: rebuild the head and publish it to the preview environment. It measures the workspace as it
 * is after the change, and aborts the batch if it has become too large.
 */
export function workspaceOf({ orgId }: Scope): Publish {
  return ({ db, newId }) => ({
    after: [
      db
        .update(organization)
        .set({
          workspaceRevision: sql`${organization.workspaceRevision} + 1`,
          workspaceSize: boundedWorkspaceSize(orgId),
        })
        .where(eq(organization.id, orgId)),
    ],
    messages: [{ type: 'workspace.changed', outboxId: newId('out'), orgId }],
  });
}

/** Data that these environments' replicas need changed: a key, a deletion, a version. */
export function environmentsOf(scope: Scope, ...environmentIds: readonly string[]): Publish {
  return (ctx) => publicationOf(ctx, scope, environmentIds);
}

/** Data that the replicas of every environment need changed: data locations, a block, an integration. */
export function everyEnvironmentOf(scope: Scope): Publish {
  return async (ctx) => {
    const { ids, areCurrent } = await readLiveEnvironments(ctx.db, scope.orgId);
    return { ...publicationOf(ctx, scope, ids), isCurrent: areCurrent };
  };
}

function publicationOf(
  { db, newId }: ChangeContext,
  { orgId }: Scope,
  environmentIds: readonly string[],
): Publication {
  return {
    after: environmentIds.map((id) =>
      db
        .update(environment)
        .set({ generation: sql`${environment.generation} + 1` })
        .where(and(eq(environment.id, id), eq(environment.orgId, orgId))),
    ),
    messages: environmentIds.map((environmentId) => ({
      type: 'environment.changed',
      outboxId: newId('out'),
      orgId,
      environmentId,
    })),
  };
}
