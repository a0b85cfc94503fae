/**
 * Creates a customer in one environment, or changes its name and email. The email becomes an alias of the customer if it
 * is nobody's yet and has no data of its own; then no later Stripe customer with it takes anything over. See
 * worker/domains/customers/README.md, "Customers created by API".
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#engine/durations';
import { insertSelect } from '#worker/db/insert-select';
import { customerGrant, customerOverride, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { isSeenIn } from '#worker/domains/customer-facts/email-owner';
import { hasOwnUsage } from '#worker/domains/customer-facts/has-own-usage';
import { knownCustomerStatements } from '#worker/domains/customer-facts/known-customers';
import { ApiError, duplicate, rateLimited } from '#worker/http/api-error';
import type { CustomerScope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { customerFactsOf } from '../customer-change.ts';
import type { Target } from './find-target.ts';
import type { Provisioning } from './open-provisioning.ts';

/** Per environment. */
export const MAX_CUSTOMERS = 1_000_000;
/** New ones, per environment and 24 hours. */
export const MAX_NEW_CUSTOMERS = 100_000;

export interface CustomerDetails {
  readonly name: string | null;
  /** Canonical. */
  readonly email: string | null;
}

/** @throws {ApiError} conflict naming customer or email; rate-limited; unavailable */
export async function saveCustomer(
  { ctx, environmentId, scope: { actor } }: Provisioning,
  scope: CustomerScope,
  { customer: identifier, created }: Target,
  { name, email }: CustomerDetails,
): Promise<void> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const before = created?.email ?? null;
  const isNewEmail = email !== null && email !== before;
  const hasData = 'This email has grants, overrides or usage of its own. Use it as the customer’s ID instead';
  if (isNewEmail && (await hasOwnUsage(ctx, orgId, environmentId, email))) throw duplicate('email', hasData);

  const isHere = eq(provisionedCustomer.environmentId, environmentId);
  const isAt = (column: 'id' | 'email', value: string | null) =>
    sql`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE s.org_id = ${orgId} AND s.${sql.raw(column)} = ${value}
      AND ${isSeenIn(sql`s`, environmentId)})`;
  const isId = sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${and(isHere, eq(provisionedCustomer.identifier, email ?? ''))})`;
  const hasEntries = (table: typeof customerGrant | typeof customerOverride) =>
    sql`EXISTS (SELECT 1 FROM ${table} e WHERE e.org_id = ${orgId} AND e.customer_identifier = ${email}
      AND (e.environment_id IS NULL OR e.environment_id = ${environmentId}))`;
  const isFree = (condition: SQL) => (isNewEmail ? sql`NOT (${condition})` : sql`TRUE`);
  const last = sql`(SELECT coalesce(max(serial), 0) FROM ${provisionedCustomer} WHERE environment_id = ${environmentId})`;
  const isBelow = (limit: SQL) => (created === null ? limit : sql`TRUE`);
  const belongsToStripe = 'Belongs to a customer of a connected Stripe account';

  const details = { identifier, name, email };
  const facts = (of: { readonly identifier: string }) => customerFactsOf(ctx, scope, of, environmentId);
  await change(ctx, scope, {
    when: {
      isOurs: [
        created === null ? sql`NOT (${isAt('id', identifier)} OR ${isAt('email', identifier)})` : sql`TRUE`,
        () => duplicate('customer', belongsToStripe),
      ],
      isNoOtherEmail: [isFree(isAt('email', email)), () => duplicate('email', belongsToStripe)],
      isNoOtherId: [isFree(isId), () => duplicate('email', 'Is the ID of another customer')],
      hasNoEntries: [
        isFree(sql`${hasEntries(customerGrant)} OR ${hasEntries(customerOverride)}`),
        () => duplicate('email', hasData),
      ],
      isBelowLimit: [
        isBelow(sql`${last} < ${MAX_CUSTOMERS}`),
        () =>
          new ApiError('conflict', 'The environment has all the customers that can be created by API in it'),
      ],
      isBelowRate: [
        isBelow(
          sql`NOT EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${isHere}
            AND serial = ${last} - ${MAX_NEW_CUSTOMERS - 1} AND created_at > ${now - DAY_MS})`,
        ),
        () => rateLimited('Too many new customers today. Try again in an hour.', 3_600),
      ],
    },
    unique: {
      'provisioned_customer.email': () => duplicate('email', 'Belongs to another customer'),
    },
    write: [
      insertSelect(
        db,
        provisionedCustomer,
        {
          environmentId,
          identifier,
          orgId,
          name,
          email,
          serial: sql`${last} + 1`,
          createdAt: now,
          updatedAt: now,
          createdByKey: actor.key,
        },
        {},
      ).onConflictDoUpdate({
        target: [provisionedCustomer.environmentId, provisionedCustomer.identifier],
        set: { name, email, updatedAt: now },
      }),
      ...knownCustomerStatements(db, orgId, [details], now),
    ],
    audit: {
      action: created === null ? 'customer.created' : 'customer.changed',
      targetId: identifier,
      detail: { environmentId, name, email },
    },
    // A name is no fact.
    publish:
      email === before
        ? []
        : [
            facts(details),
            ...[before, email].flatMap((each) => (each === null ? [] : [facts({ identifier: each })])),
          ],
  });
}
