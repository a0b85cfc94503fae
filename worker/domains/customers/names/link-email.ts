/**
 * Links an email to one of the Stripe customers that have it, as a person has confirmed. Grants and overrides of the email
 * then apply to the customer, and ledgers merge usage that was counted under the email. What another customer has stays with
 * that customer. See docs/names.md, "Customers with one email".
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Customer, linkEmailSchema } from '#contracts/console/customers';
import type { StripeCustomersChanged } from '#runtime/messages';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { byOwnership, isSeenIn, ownsEmail } from '#worker/domains/customer-facts/customer-names';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { kindOf } from '#worker/domains/customer-facts/load-customer-facts';
import { factsVersion, takeFactsVersion } from '#worker/domains/customer-facts/next-facts-version';
import { connectedCustomersOf } from '#worker/domains/customers/entries/customer-change';
import { getCustomer } from '#worker/domains/customers/entries/customer-store';
import { invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/**
 * No effect if the customer owns the email already.
 * @param email canonical
 * @throws {ApiError} invalid-request naming identifier or customerId
 */
export async function linkEmail(
  ctx: RequestContext,
  scope: MemberScope,
  email: string,
  { integrationId, customerId }: z.output<typeof linkEmailSchema>,
): Promise<Customer> {
  const { db, now } = ctx;
  const { orgId } = scope;
  if (kindOf(email) !== 'email') throw invalidField('identifier', 'Must be an email');
  const row = sql`${stripeCustomer}`;
  const hasEmail = and(eq(stripeCustomer.orgId, orgId), eq(stripeCustomer.email, email), isSeenIn(row, null));
  const isIt = and(
    hasEmail,
    eq(stripeCustomer.integrationId, integrationId),
    eq(stripeCustomer.id, customerId),
  );
  const stateOf = (table: SQL) =>
    sql<string>`${table}.integration_id || ' ' || ${table}.id || ' ' || ${table}.email_role || ' ' || ${table}.email_role_at`;
  const [first] = await db
    .select({
      id: stripeCustomer.id,
      integrationId: stripeCustomer.integrationId,
      isOwner: sql<number>`${ownsEmail(row)}`.as('is_owner'),
      state: stateOf(row).as('state'),
    })
    .from(stripeCustomer)
    .where(hasEmail)
    .orderBy(byOwnership(row))
    .limit(1);
  const before = first !== undefined && first.isOwner === 1 ? first : null;
  if (before?.id === customerId && before.integrationId === integrationId)
    return getCustomer(ctx, scope, email);

  const message: StripeCustomersChanged = {
    type: 'stripe.customers-changed',
    outboxId: ctx.newId('out'),
    orgId,
    customers: [email, customerId],
  };
  const lastLink = sql`(SELECT max(l.email_role_at) FROM ${stripeCustomer} l WHERE l.org_id = ${orgId} AND l.email = ${email})`;
  const firstNow = sql`(SELECT ${stateOf(sql`p`)} FROM ${stripeCustomer} p WHERE p.org_id = ${orgId}
    AND p.email = ${email} AND ${isSeenIn(sql`p`, null)} ORDER BY ${byOwnership(sql`p`)} LIMIT 1)`;
  const { unmet } = await change(ctx, scope, {
    when: {
      hasEmail: [
        sql`EXISTS (SELECT 1 FROM ${stripeCustomer} WHERE ${isIt})`,
        () => invalidField('customerId', 'This Stripe account has no customer with this ID and email'),
      ],
      isAsRead: sql`${firstNow} = ${first?.state ?? ''}`,
    },
    write: [
      takeFactsVersion(db, orgId, now),
      db
        .update(stripeCustomer)
        .set({
          emailRole: 'linked',
          emailRoleAt: sql`max(${now}, 1 + ${lastLink})`,
          factsVersion: factsVersion(orgId),
        })
        .where(isIt),
      ...knownCustomerStatements(db, orgId, [{ identifier: email }], now),
    ],
    audit: {
      action: 'customer.email-linked',
      targetId: email,
      detail: { integrationId, customerId, before: before?.id ?? null },
    },
    publish: [connectedCustomersOf(ctx, message)],
  });
  // Somebody else has linked the email meanwhile, perhaps to the same customer.
  if (unmet === 'isAsRead') return linkEmail(ctx, scope, email, { integrationId, customerId });
  return getCustomer(ctx, scope, email);
}
