/**
 * Consumer of stripe.user-ids-changed: an integration's metadata key for user ids was set, changed or removed. First every stored customer
 * gets its user id by the new key, which has no effect yet, so that an id that two customers carry never seems to be one's. Then user ids
 * take effect at once, and ledgers get the facts of the customers that have one. No call of Stripe is needed: metadata is stored.
 */
import { and, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { StripeCustomersChanged, StripeUserIdsChanged } from '#runtime/messages';
import { sendMessage } from '#runtime/send-message';
import { commitIf } from '#worker/db/commit-if';
import type { Statement } from '#worker/db/database';
import { provisionedCustomer } from '#worker/db/schema/customers';
import { outbox } from '#worker/db/schema/operations';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';
import { userIdIn } from '#worker/domains/customer-facts/customer-names';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { renewWordsOf } from '#worker/domains/customer-facts/renew-words-of';
import type { WorkContext } from '#worker/http/request-context';
import { outboxDone, outboxProgress, outboxRow } from '#worker/queue/outbox';
import { findIntegrationRow } from '../integration/integration-store.ts';

/** Customers per step: their names are one message to the ledgers. */
const AT_ONCE = 150;
/** Steps per message. */
const MAX_STEPS = 40;

export async function renewUserIds(ctx: WorkContext, message: StripeUserIdsChanged): Promise<void> {
  let current = message;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = await advance(ctx, current);
    if (next === null) return;
    current = next;
  }
  await sendMessage(ctx.env, current);
}

/** @returns the message for the next step; null: it was the last, or another change of the key has taken over */
async function advance(
  ctx: WorkContext,
  message: StripeUserIdsChanged,
): Promise<StripeUserIdsChanged | null> {
  const { db } = ctx;
  const { orgId, integrationId, outboxId, isInEffect, after } = message;
  const integration = await findIntegrationRow(db, integrationId);
  const isCurrent = sql`EXISTS (SELECT 1 FROM ${outbox} WHERE ${eq(outbox.id, outboxId)}
    AND ${outbox.payload} ->> 'changeId' = ${message.changeId}
    AND ${outbox.payload} ->> 'after' = ${after} AND ${outbox.payload} ->> 'isInEffect' = ${isInEffect ? 1 : 0})`;
  const latest = userIdIn(sql`${stripeCustomer.metadata}`, integrationId);
  // Its email is another customer's, too, if it was, or is now, the created customer that the user id names.
  const email = sql<
    string | null
  >`CASE WHEN EXISTS (SELECT 1 FROM ${provisionedCustomer} p WHERE p.org_id = ${orgId}
    AND p.identifier = ${stripeCustomer}.user_id) THEN ${stripeCustomer.email} END`;
  const rows = await db
    .select({
      id: stripeCustomer.id,
      former: stripeCustomer.userId,
      latest: sql<string | null>`${latest}`,
      email,
    })
    .from(stripeCustomer)
    .where(
      and(
        eq(stripeCustomer.integrationId, integrationId),
        gt(stripeCustomer.id, after),
        isInEffect ? isNotNull(stripeCustomer.userId) : undefined,
      ),
    )
    .orderBy(stripeCustomer.id)
    .limit(AT_ONCE);
  const last = rows.at(-1);
  const changed = isInEffect ? rows : rows.filter((row) => row.former !== row.latest);
  const pushed = changed.flatMap(({ id, former, email: also }) =>
    former === null ? [] : [id, former, ...(also === null ? [] : [also])],
  );
  const now = ctx.clock();
  const statements: Statement[] = isInEffect
    ? []
    : [
        db
          .update(stripeCustomer)
          .set({ userId: latest })
          .where(and(eq(stripeCustomer.integrationId, integrationId), isListed(changed.map(({ id }) => id)))),
      ];
  let customersChanged: StripeCustomersChanged | null = null;
  if (pushed.length > 0) {
    customersChanged = {
      type: 'stripe.customers-changed',
      outboxId: ctx.newId('out'),
      orgId,
      customers: pushed,
    };
    const names = sql`SELECT value FROM json_each(${JSON.stringify(pushed)})`;
    statements.push(
      ...knownCustomerStatements(db, orgId, [], now, names),
      outboxRow(db, customersChanged, now),
    );
  }
  let next: StripeUserIdsChanged | null = null;
  if (last !== undefined) next = { ...message, after: last.id };
  else if (!isInEffect && integration?.userIdKey != null) {
    next = { ...message, after: '', isInEffect: true };
    statements.push(
      takeFactsVersion(db, orgId, now),
      db
        .update(stripeIntegration)
        .set({ userIdsReady: true, userIdsAt: factsVersion(orgId) })
        .where(eq(stripeIntegration.id, integrationId)),
    );
  }
  statements.push(next === null ? outboxDone(db, outboxId) : outboxProgress(db, next, now));
  if ((await commitIf(db, { isCurrent }, statements)) !== null) return null;
  // A search finds those that are somebody else now without waiting for ledgers, which the message is for.
  await renewWordsOf(db, orgId, pushed);
  if (customersChanged !== null) await sendMessage(ctx.env, customersChanged);
  return next;
}

function isListed(ids: readonly string[]): SQL {
  return sql`${stripeCustomer.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}
