/**
 * Decides which Stripe customer an identifier refers to in an environment. Live environments see live-mode customers only.
 * Stripe allows several customers with one email; the email is an alias of one of them: a customer with a granting
 * subscription first, then live mode, then the newest.
 */
import { type SQL, sql } from 'drizzle-orm';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

const granting = sql.raw([...GRANTING_STATUSES].map((status) => `'${status}'`).join(', '));

/**
 * Condition: the customer exists, and its account is connected.
 * @param row the table, or its alias
 * @param environmentId null: in environments of any type
 */
export function isSeenIn(row: SQL, environmentId: string | null): SQL {
  const isConnected = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.id = ${row}.integration_id AND i.deleted_at IS NULL)`;
  const isPresent = sql`${row}.deleted_at IS NULL AND ${isConnected}`;
  if (environmentId === null) return isPresent;
  return sql`${isPresent} AND (${row}.livemode OR (SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) <> 'live')`;
}

/** For ORDER BY: the preferred customer comes first. */
export function byPreference(row: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${row}.subscriptions) j WHERE json_extract(j.value, '$.status') IN (${granting})) DESC, ${row}.livemode DESC, ${row}.created_at DESC, ${row}.id, ${row}.integration_id`;
}

/** The customer that the email is an alias of, as a row value of integration and id. @param email an expression */
export function preferredOf(orgId: string, email: SQL, environmentId: string): SQL {
  const row = sql`p`;
  return sql`(SELECT p.integration_id, p.id FROM ${stripeCustomer} p WHERE p.org_id = ${orgId} AND p.email = ${email} AND ${isSeenIn(row, environmentId)} ORDER BY ${byPreference(row)} LIMIT 1)`;
}
