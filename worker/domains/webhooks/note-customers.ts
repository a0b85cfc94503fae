/**
 * Before a webhook is told of customers for the first time, what they may do is noted: the first change is then told alone, and not
 * everything that a customer has. Changes that happen meanwhile wait; who has changed by then counts as new.
 */
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import type { ChosenWebhookType } from '#contracts/public/webhooks';
import { isEmptyFacts } from '#engine/entitlements/no-facts';
import type { WebhookCustomersListed } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { commit, type Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { knownCustomer } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { outbox } from '#worker/db/schema/operations';
import { webhookCustomer } from '#worker/db/schema/webhooks';
import { isToldByWebhook } from '#worker/db/told-by-webhook';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import type { Scope, WorkContext } from '#worker/http/request-context';
import type { Publish } from '#worker/queue/change';
import { outboxDone, outboxProgress } from '#worker/queue/outbox';

/** Noted by one message, in each environment. */
const AT_ONCE = 200;

const noteId = (orgId: string) => `told-${orgId}`;

/** Whether a webhook that chose these events is told of customers. @param types null: all */
export function tellsCustomers(types: readonly ChosenWebhookType[] | null): boolean {
  return types === null || types.includes('customer.entitlements_changed');
}

/** If the change is the first by which a webhook is told of customers. Prepared before it, so the condition is that of before. */
export function noteCustomersOf({ orgId }: Scope): Publish {
  return async ({ db, now }) => {
    const isTold = sql<number>`${isToldByWebhook(orgId, 'customer.entitlements_changed')}`;
    const [row] = await db.select({ isTold }).from(sql`(SELECT 1)`);
    if (row?.isTold) return {};
    return {
      messages: [{ type: 'webhook.customers-listed', outboxId: noteId(orgId), orgId, since: now, after: '' }],
    };
  };
}

/** Whether customers of the organisation are still being noted. */
export async function areBeingNoted(db: Db, orgId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(eq(outbox.id, noteId(orgId)));
  return row !== undefined;
}

/** Consumer of webhook.customers-listed. What was noted or told before is kept. */
export async function noteCustomers(ctx: WorkContext, message: WebhookCustomersListed): Promise<void> {
  const { db, env, now } = ctx;
  const { orgId, since, after, outboxId } = message;
  const [environments, known] = await Promise.all([
    db
      .select({ id: environment.id })
      .from(environment)
      .where(and(liveEnvironment(orgId), ne(environment.type, 'preview'))),
    db
      .select({ identifier: knownCustomer.identifier })
      .from(knownCustomer)
      .where(and(eq(knownCustomer.orgId, orgId), gt(knownCustomer.identifier, after)))
      .orderBy(asc(knownCustomer.identifier))
      .limit(AT_ONCE),
  ]);
  const customers = known.map(({ identifier }) => identifier);
  for (const { id: environmentId } of environments) {
    const facts = await loadFactsOfMany(db, { orgId }, environmentId, customers);
    const rows = [...facts].flatMap(([customer, each]) =>
      isEmptyFacts(each) || each.version > since
        ? []
        : { environmentId, customer, orgId, facts: each, version: each.version, toldAt: now },
    );
    await commit(
      db,
      rows.map((row) => db.insert(webhookCustomer).values(row).onConflictDoNothing()),
    );
  }
  const last = customers.at(-1);
  if (last === undefined || customers.length < AT_ONCE) {
    await outboxDone(db, outboxId);
    return;
  }
  const next = { ...message, after: last };
  await outboxProgress(db, next, now);
  await sendMessage(env, next);
}
