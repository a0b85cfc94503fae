/**
 * Which customer of the connected Stripe accounts an identifier stands for in an environment. A live environment sees
 * customers of live mode only. Several may have one e-mail address (Stripe does not mind): it stands for one of them, first
 * one whose subscription grants something, then one of live mode, then the newest.
 */
import { type SQL, sql } from 'drizzle-orm';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';
import { environment } from '#worker/db/schema/environments';
import { stripeCustomer, stripeIntegration } from '#worker/db/schema/stripe';

const granting = sql.raw([...GRANTING_STATUSES].map((status) => `'${status}'`).join(', '));

/**
 * Condition: the customer is there, and its account connected.
 * @param row the table, or its alias
 * @param environmentId null: in environments of any type
 */
export function isSeenIn(row: SQL, environmentId: string | null): SQL {
  const isConnected = sql`EXISTS (SELECT 1 FROM ${stripeIntegration} i WHERE i.id = ${row}.integration_id AND i.deleted_at IS NULL)`;
  const isThere = sql`${row}.deleted_at IS NULL AND ${isConnected}`;
  if (environmentId === null) return isThere;
  return sql`${isThere} AND (${row}.livemode OR (SELECT e.type FROM ${environment} e WHERE e.id = ${environmentId}) <> 'live')`;
}

/** For ORDER BY: the one that is meant comes first. */
export function byPreference(row: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${row}.subscriptions) j WHERE json_extract(j.value, '$.status') IN (${granting})) DESC, ${row}.livemode DESC, ${row}.created_at DESC, ${row}.id, ${row}.integration_id`;
}

/** The customer, as a row of integration and id, that the address stands for. @param email an expression */
export function preferredOf(orgId: string, email: SQL, environmentId: string): SQL {
  const row = sql`p`;
  return sql`(SELECT p.integration_id, p.id FROM ${stripeCustomer} p WHERE p.org_id = ${orgId} AND p.email = ${email} AND ${isSeenIn(row, environmentId)} ORDER BY ${byPreference(row)} LIMIT 1)`;
}
