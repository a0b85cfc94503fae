/**
 * What every change of a customer's grants or overrides publishes: a push that its answer waits for. Ledgers
 * that know the customer are updated immediately; the outbox retries failures. An environment's first change also
 * publishes a snapshot, which makes checks call a ledger for every customer. See worker/domains/customer-facts/README.md, "Customer facts".
 */

import { and, gt, lt, sql } from 'drizzle-orm';
import type {
  CustomerChanged,
  EnvironmentChanged,
  OutboxMessage,
  StripeCustomersChanged,
} from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { insertSelect } from '#worker/db/insert-select';
import { environmentExists, liveEnvironment } from '#worker/db/live-environments';
import { customer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import {
  type ChangedCustomer,
  knownCustomerStatements,
} from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { pushChangedCustomers, pushCustomerFacts } from '#worker/domains/customer-facts/push-customer-facts';
import { publishEnvironment } from '#worker/domains/publishing/publish-environment';
import { hasCustomerFacts } from '#worker/domains/snapshots/load-snapshot';
import { snapshotCacheOf } from '#worker/domains/snapshots/snapshot-cache-of';
import { invalidField } from '#worker/http/api-error';
import type { CustomerScope, PlacedContext, RequestContext, Scope } from '#worker/http/request-context';
import type { Publication } from '#worker/queue/change';
import { outboxRowsFrom } from '#worker/queue/outbox';

/** How long a response waits for the push, which continues in the background. */
const PUSH_WAIT_MS = 2_000;

/** Names that became the customer's, or no longer are. */
interface ChangedNames {
  /** Emails and user ids. */
  readonly aliases?: readonly string[];
  /** Of Stripe customers, whose own rows have the version of the change (record-joins.ts). */
  readonly atStripe?: readonly string[];
}

/**
 * A customer's grants, overrides or email changed. Checks after the response see the change.
 * @param environmentId null: all environments
 */
export function customerFactsOf(
  ctx: PlacedContext,
  { orgId, isPushedLater = false }: Pick<CustomerScope, 'orgId' | 'isPushedLater'>,
  changed: ChangedCustomer,
  environmentId: string | null,
  { aliases = [], atStripe = [] }: ChangedNames = {},
): Publication {
  const { db, now } = ctx;
  const { identifier } = changed;
  const customers = [...new Set([identifier, ...aliases, ...atStripe])];
  const message: CustomerChanged = {
    type: 'customer.changed',
    outboxId: ctx.newId('out'),
    orgId,
    environmentId,
    customer: identifier,
    ...(customers.length > 1 && { customers }),
  };
  const publishing = ctx.newId('out');
  const isFirst = and(
    liveEnvironment(orgId, environmentId ?? undefined),
    sql`NOT ${hasCustomerFacts(sql`${environment.id}`)}`,
  );
  const outboxId = sql`${`${publishing}_`} || ${environment.id}`;
  return {
    before: [
      takeFactsVersion(db, orgId, now),
      outboxRowsFrom(
        db,
        { type: 'environment.changed', outboxId, orgId, environmentId: sql`${environment.id}` },
        { from: sql`${environment}`, where: isFirst },
        now,
      ),
      db
        .update(environment)
        .set({ generation: sql`${environment.generation} + 1` })
        .where(isFirst),
    ],
    after: [
      insertSelect(
        db,
        customer,
        {
          orgId,
          identifier: sql`c.value`,
          factsVersion: factsVersion(orgId),
          createdAt: now,
          updatedAt: now,
          movedTo: sql`NULL`,
        },
        { from: sql`json_each(${JSON.stringify([...new Set([identifier, ...aliases])])}) c` },
      ).onConflictDoUpdate({
        target: [customer.orgId, customer.identifier],
        set: {
          factsVersion: sql`excluded.facts_version`,
          updatedAt: now,
          createdAt: sql`CASE ${customer.createdAt} WHEN 0 THEN ${now} ELSE ${customer.createdAt} END`,
        },
      }),
      ...knownCustomerStatements(
        db,
        orgId,
        [changed, ...customers.slice(1).map((each) => ({ identifier: each }))],
        now,
      ),
    ],
    messages: [message],
    async announce() {
      const published = await db
        .select({ payload: outbox.payload })
        .from(outbox)
        .where(and(gt(outbox.id, `${publishing}_`), lt(outbox.id, `${publishing}_~`)));
      const first = published.map(({ payload }) => payload as EnvironmentChanged);
      if (isPushedLater) {
        for (const each of [message, ...first]) await sendMessage(ctx.env, each);
        return;
      }
      await awaitPushes(ctx, [
        settle(ctx, message, pushCustomerFacts(ctx, message)),
        ...first.map((each) => settle(ctx, each, publishNow(ctx, each))),
      ]);
    },
  };
}

/** Customers changed that Stripe or a move connects. */
export function connectedCustomersOf(ctx: RequestContext, message: StripeCustomersChanged): Publication {
  return {
    messages: [message],
    announce: () => awaitPushes(ctx, [settle(ctx, message, pushChangedCustomers(ctx, message))]),
  };
}

/** Waits for PUSH_WAIT_MS at most. */
async function awaitPushes(
  ctx: Pick<RequestContext, 'waitUntil'>,
  pushes: readonly Promise<void>[],
): Promise<void> {
  const all = Promise.all(pushes);
  ctx.waitUntil(all);
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, PUSH_WAIT_MS))]);
}

/** Condition of `change`, with its error: the environment belongs to the organisation, or null selects all. */
export function isOwnEnvironment({ orgId }: Scope, environmentId: string | null) {
  const isOwn = environmentId === null ? sql`TRUE` : environmentExists(orgId, environmentId);
  return [isOwn, () => invalidField('environmentId', 'There is no such environment')] as const;
}

/** Also refreshes this isolate's snapshot, without waiting for it to age. */
async function publishNow(ctx: PlacedContext, message: EnvironmentChanged): Promise<void> {
  await publishEnvironment(ctx, message);
  await snapshotCacheOf(ctx.env).getNewer(message.environmentId, ctx.place, ctx.waitUntil);
}

/** A failed push is sent to the queue. */
async function settle(ctx: PlacedContext, message: OutboxMessage, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    ctx.log.warn('immediate push failed, the queue retries it', {
      type: message.type,
      orgId: message.orgId,
      error,
    });
    await sendMessage(ctx.env, message);
  }
}
