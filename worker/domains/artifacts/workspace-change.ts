/**
 * What every change of the workspace, or of what replicas must know, commits along with itself: a raised revision or
 * generation, and the outbox row of the message that makes it known. `announce` sends that message at once; should it
 * be lost, cron sends it again.
 */
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '#worker/db/database';
import { environment } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Scope, WorkContext } from '#worker/http/request-context';
import type { OutboxMessage } from '#worker/queue/messages';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';

export interface Change {
  /** To be committed in one batch with the change itself. */
  readonly statements: readonly Statement[];
  /** To be called after the commit. */
  readonly announce: () => void;
}

/** Features, plans or workflows changed: the head is to be rebuilt and published to the preview environment. */
export function workspaceChange(ctx: WorkContext, scope: Scope): Change {
  const { db } = ctx;
  const message = { type: 'workspace.changed', outboxId: ctx.newId('out'), orgId: scope.orgId } as const;
  return {
    statements: [
      db
        .update(organization)
        .set({ workspaceRevision: sql`${organization.workspaceRevision} + 1` })
        .where(eq(organization.id, scope.orgId)),
      outboxRow(db, message, ctx.now),
    ],
    announce: () => announce(ctx, message),
  };
}

/** Something that this environment's replicas must know changed: a key, a deletion, a block. */
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
  /** Condition for commitIf: no environment was made or deleted since these were read. */
  readonly knowsAll: SQL;
}

/** Something that the replicas of every environment must know changed: the data locations, a block, an integration. */
export async function everyEnvironmentChange(
  ctx: WorkContext,
  scope: Scope,
): Promise<EveryEnvironmentChange> {
  const isStanding = and(eq(environment.orgId, scope.orgId), isNull(environment.deletedAt));
  const rows = await ctx.db
    .select({ id: environment.id })
    .from(environment)
    .where(isStanding)
    .orderBy(asc(environment.id));
  const environmentIds = rows.map(({ id }) => id);
  const known = JSON.stringify(environmentIds);
  const standing = sql`SELECT ${environment.id} AS id FROM ${environment} WHERE ${isStanding} ORDER BY ${environment.id}`;
  const changes = rows.map((row) => environmentChange(ctx, scope, row.id));
  return {
    environmentIds,
    statements: changes.flatMap((change) => change.statements),
    announce: () => {
      for (const change of changes) change.announce();
    },
    knowsAll: sql`(SELECT json_group_array(id) FROM (${standing})) = ${known}`,
  };
}

function announce(ctx: WorkContext, message: OutboxMessage): void {
  ctx.waitUntil(sendMessage(ctx.env, message));
}
