/**
 * Whether an email that a call gives a customer is left to Stripe: the Stripe customer that the customer is, or one that carries its ID, has
 * the email there and does not own it here. The customer gets nothing by it, and the call that says it is right, so it does not fail.
 */
import { sql } from 'drizzle-orm';
import { isAliasOf } from '#engine/entitlements/active-facts';
import {
  customerBalance,
  customerGrant,
  customerOverride,
  provisionedCustomer,
} from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { createdCustomerOf, isSeenIn, userIdInEffect } from '#worker/domains/customer-facts/customer-names';
import { hasOwnUsage } from '#worker/domains/customer-facts/has-own-usage';
import type { Saying } from '#worker/domains/customers/names/join-customer';
import type { Target } from './find-target.ts';
import type { Provisioning } from './open-provisioning.ts';

/**
 * @param email canonical
 * @param saying which Stripe customer it is, committed with it
 * @throws {ApiError} unavailable
 */
export async function isStripesEmail(
  { ctx, environmentId, scope: { orgId } }: Provisioning,
  { customer, created, facts }: Target,
  email: string | null,
  saying: Saying | null,
): Promise<boolean> {
  if (email === null || email === created?.email || isAliasOf(facts, email)) return false;
  const isAnyAtStripe = facts.stripe != null || Boolean(facts.namesakes?.length);
  const source = saying?.source ?? null;
  if (!isAnyAtStripe && source === null) return false;

  const s = sql`s`;
  const isSource = sql`(s.integration_id IS ${source?.integrationId ?? null} AND s.id IS ${source?.customerId ?? null})`;
  const having = (condition: typeof s) =>
    sql`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE s.org_id = ${orgId} AND s.email = ${email}
      AND ${isSeenIn(s, environmentId)} AND ${condition})`;
  // What a call takes back or replaces is the customer's no longer.
  const isEnding =
    saying === null
      ? sql`FALSE`
      : source === null
        ? sql`TRUE`
        : sql`s.integration_id = ${source.integrationId}`;
  const isTheirs = sql`coalesce(${createdCustomerOf(s, environmentId)}, ${userIdInEffect(s)}) = ${customer}
    AND (${userIdInEffect(s)} IS ${customer} OR NOT ${isEnding})`;
  const hasEntries = [customerGrant, customerOverride, customerBalance].map(
    (
      table,
    ) => sql`EXISTS (SELECT 1 FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${email}
      AND (e.environment_id IS NULL OR e.environment_id = ${environmentId}))`,
  );
  const isCreated = ['identifier', 'email'].map(
    (column) => sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} p WHERE p.environment_id = ${environmentId}
      AND p.${sql.raw(column)} = ${email})`,
  );
  const [found] = await ctx.db.all<Record<'isTheirs' | 'isSources' | 'isInUse', number>>(sql`SELECT
    ${having(sql`NOT ${isSource} AND ${isTheirs}`)} AS isTheirs,
    ${having(isSource)} AS isSources,
    ${having(sql`NOT ${isSource}`)} OR ${sql.join([...isCreated, ...hasEntries], sql` OR `)} AS isInUse`);
  if (found === undefined || found.isTheirs || !found.isSources) return Boolean(found?.isTheirs);
  return Boolean(found.isInUse) || hasOwnUsage(ctx, orgId, environmentId, email);
}
