/**
 * Decides which Stripe customer an email is an alias of in an environment: its owner. Live environments see live-mode
 * customers only. Stripe verifies no email, so a new customer never takes over what an email or another customer has:
 * decide-email-owners.ts makes one customer the owner, and only a person can link the email to another one. An email
 * without an owner is a customer of its own. See worker/domains/customer-facts/README.md, "Customers with one email".
 */
import { type SQL, sql } from 'drizzle-orm';
import type { EmailRole } from '#contracts/console/linked-customer';
import { GRANTING_STATUSES } from '#engine/entitlements/subscription-access';
import { environment } from '#worker/db/schema/environments';
import { stripeIntegration } from '#worker/db/schema/stripe';

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

/** Condition: the customer has a granting subscription. */
export function hasGranting(row: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${row}.subscriptions) j WHERE json_extract(j.value, '$.status') IN (${granting}))`;
}

/** Whether the email is an alias of a customer with this role, if the customer is the first by ownership. */
export function isOwnerRole(role: EmailRole): boolean {
  return role === 'owner' || role === 'linked';
}

/**
 * For ORDER BY: first the owner, if there is one. The last link that a person made wins, then the first owner. The others
 * follow, those with a granting subscription first.
 */
export function byOwnership(row: SQL): SQL {
  const rank = sql`CASE ${row}.email_role WHEN 'linked' THEN 0 WHEN 'owner' THEN 1 ELSE 2 END`;
  const order = sql`CASE ${row}.email_role WHEN 'linked' THEN -${row}.email_role_at WHEN 'owner' THEN ${row}.email_role_at ELSE 0 END`;
  return sql`${rank}, ${order}, ${hasGranting(row)} DESC, ${row}.email_since, ${row}.created_at, ${row}.id, ${row}.integration_id`;
}
