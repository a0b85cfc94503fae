/**
 * What every change of a customer's grants and overrides commits along with itself, and how it reaches the edge: ledgers
 * that know the customer are told at once, and again by the outbox where that failed. Where it is the first of its
 * environment, replicas learn that ledgers are to be asked about everybody.
 */
import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { rowStands } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { customer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { snapshotCacheOf } from '#worker/domains/access/snapshot-cache-of';
import { hasCustomerFacts } from '#worker/domains/artifacts/load-snapshot';
import { publishEnvironment } from '#worker/domains/artifacts/publish-environment';
import type { RequestContext, Scope } from '#worker/http/request-context';
import type { CustomerChanged, EnvironmentChanged, OutboxMessage } from '#worker/queue/messages';
import { outboxRow } from '#worker/queue/outbox';
import { sendMessage } from '#worker/queue/send-message';
import { nextFactsVersion } from './next-facts-version.ts';
import { tellCustomerFacts } from './tell-customer-facts.ts';

/** How long an answer waits until everybody was told; the rest goes on behind it. */
const PATIENCE_MS = 2_000;

export interface CustomerChange {
  /** To be committed in this order in one batch: `before`, the change itself, `after`. */
  readonly before: readonly Statement[];
  readonly after: readonly Statement[];
  /** To be awaited after the commit: checks that follow the answer go by the change. */
  readonly announce: () => Promise<void>;
}

/** @param environmentId null: all environments */
export function customerChange(
  ctx: RequestContext,
  { orgId }: Scope,
  identifier: string,
  environmentId: string | null,
): CustomerChange {
  const { db, now, env } = ctx;
  const message: CustomerChanged = {
    type: 'customer.changed',
    outboxId: ctx.newId('out'),
    orgId,
    environmentId,
    customer: identifier,
  };
  const factsVersion = nextFactsVersion(orgId, [identifier], now);
  const publishing = ctx.newId('out');
  const isFirst = and(
    eq(environment.orgId, orgId),
    isNull(environment.deletedAt),
    environmentId === null ? undefined : eq(environment.id, environmentId),
    sql`NOT ${hasCustomerFacts(sql`${environment.id}`)}`,
  );
  const outboxId = sql`${`${publishing}_`} || ${environment.id}`;
  return {
    before: [
      db
        .insert(outbox)
        .select(
          sql`SELECT ${outboxId}, ${orgId}, 'environment.changed', json_object('type', 'environment.changed', 'outboxId', ${outboxId}, 'orgId', ${orgId}, 'environmentId', ${environment.id}), ${now}, ${now}, 1 FROM ${environment} WHERE ${isFirst}`,
        ),
      db
        .update(environment)
        .set({ generation: sql`${environment.generation} + 1` })
        .where(isFirst),
    ],
    after: [
      db
        .insert(customer)
        .values({ orgId, identifier, factsVersion, createdAt: now, updatedAt: now })
        .onConflictDoUpdate({
          target: [customer.orgId, customer.identifier],
          set: {
            ...{ factsVersion, updatedAt: now },
            createdAt: sql`CASE ${customer.createdAt} WHEN 0 THEN ${now} ELSE ${customer.createdAt} END`,
          },
        }),
      outboxRow(db, message, now),
    ],
    async announce() {
      const published = await db
        .select({ payload: outbox.payload })
        .from(outbox)
        .where(and(gt(outbox.id, `${publishing}_`), lt(outbox.id, `${publishing}_~`)));
      const first = published.map(({ payload }) => payload as EnvironmentChanged);
      const all = Promise.all([
        settle(ctx, message, tellCustomerFacts(env, message)),
        ...first.map((each) => settle(ctx, each, publishAtOnce(ctx, each))),
      ]);
      ctx.waitUntil(all);
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    },
  };
}

/** Condition for commitIf: the environment is the organisation's, or all are meant. */
export function isOwnEnvironment({ orgId }: Scope, environmentId: string | null): SQL {
  if (environmentId === null) return sql`TRUE`;
  return rowStands(environment, orgId, environmentId, undefined, isNull(environment.deletedAt));
}

/** This isolate need not wait for its snapshot to age. */
async function publishAtOnce(ctx: RequestContext, message: EnvironmentChanged): Promise<void> {
  await publishEnvironment(ctx.env, message, ctx.now);
  await snapshotCacheOf(ctx.env).getNewer(message.environmentId, ctx.place, ctx.waitUntil);
}

async function settle(ctx: RequestContext, message: OutboxMessage, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    ctx.log.warn('could not be told at once', { type: message.type, orgId: message.orgId, error });
    await sendMessage(ctx.env, message);
  }
}
