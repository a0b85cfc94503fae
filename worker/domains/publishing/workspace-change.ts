/**
 * What every change of the workspace, or of data that replicas need, commits with itself: a raised revision or generation,
 * and the outbox row of the message that publishes it. `announce` sends that message immediately; if it is lost, cron
 * sends it again.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { OutboxMessage } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import type { Statement } from '#worker/db/database';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import { boundedWorkspaceSize } from '#worker/db/workspace-size';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { outboxRow } from '#worker/queue/outbox';

export interface Change {
  /** Commit these in one batch with the change itself. */
  readonly statements: readonly Statement[];
  /** Call it after the commit. */
  readonly announce: () => void;
}

/**
 * Features, plans or workflows changed: rebuild the head and publish it to the preview environment. Its statements come last in the
 * batch: they measure the workspace as it is then, and abort the batch if it has become too large.
 */
export function workspaceChange(ctx: WorkContext, scope: Scope): Change {
  const { db } = ctx;
  const message = { type: 'workspace.changed', outboxId: ctx.newId('out'), orgId: scope.orgId } as const;
  return {
    statements: [
      db
        .update(organization)
        .set({
          workspaceRevision: sql`${organization.workspaceRevision} + 1`,
          workspaceSize: boundedWorkspaceSize(scope.orgId),
        })
        .where(eq(organization.id, scope.orgId)),
      outboxRow(db, message, ctx.now),
    ],
    announce: () => announce(ctx, message),
  };
}

/** Data that this environment's replicas need changed: a key, a deletion, a block. */
export function environmentChange(ctx: WorkContext, scope: Scope, environmentId: string): Change {
  const { db } = ctx;
  const message = {
    type: 'environment.changed',
    outboxId: ctx.newId('out'),
    orgId: scope.orgId,
    environmentId,
  } as const;
  return {
    statements: [
      db
        .update(environment)
        .set({ generation: sql`${environment.generation} + 1` })
        .where(and(eq(environment.id, environmentId), eq(environment.orgId, scope.orgId))),
      outboxRow(db, message, ctx.now),
    ],
    announce: () => announce(ctx, message),
  };
}

export interface EveryEnvironmentChange extends Change {
  readonly environmentIds: readonly string[];
  /** Condition for commitIf: no environment was created or deleted since these were read. */
  readonly knowsAll: SQL;
}

/** Data that the replicas of every environment need changed: data locations, a block, an integration. */
export async function everyEnvironmentChange(
  ctx: WorkContext,
  scope: Scope,
): Promise<EveryEnvironmentChange> {
  const isLive = liveEnvironment(scope.orgId);
  const environmentIds = await listEnvironmentIds(ctx.db, isLive);
  const known = JSON.stringify(environmentIds);
  const current = sql`SELECT ${environment.id} AS id FROM ${environment} WHERE ${isLive} ORDER BY ${environment.id}`;
  const changes = environmentIds.map((id) => environmentChange(ctx, scope, id));
  return {
    environmentIds,
    statements: changes.flatMap((change) => change.statements),
    announce: () => {
      for (const change of changes) change.announce();
    },
    knowsAll: sql`(SELECT json_group_array(id) FROM (${current})) = ${known}`,
  };
}

function announce(ctx: WorkContext, message: OutboxMessage): void {
  ctx.waitUntil(sendMessage(ctx.env, message));
}
