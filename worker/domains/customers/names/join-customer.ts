/**
 * Says that a customer that was created by API is a customer of a connected Stripe account, or that it is none. Then the Stripe customer's
 * ID is an alias: its plans, grants, overrides and usage are those of the created customer. See
 * docs/names.md, "One customer, several sources".
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AuditEntry } from '#worker/db/audit';
import type { Statement } from '#worker/db/database';
import { insertSelect } from '#worker/db/insert-select';
import { customerJoin, customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { isSeenIn } from '#worker/domains/customer-facts/customer-names';
import { customerFactsOf } from '#worker/domains/customers/entries/customer-change';
import { conflicting, invalidField } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

/** A safety limit: a customer is one of each account and mode. */
const MAX_AT_STRIPE = 50;

/** A customer of a connected Stripe account. */
export interface StripeSource {
  readonly integrationId: string;
  /** cus_… */
  readonly customerId: string;
}

/**
 * What says that a created customer is a Stripe customer, or none: parts of a `change`. A call that also creates the customer commits both
 * or none.
 */
export interface Saying {
  /** Null: it is none. */
  readonly source: StripeSource | null;
  readonly when: Readonly<Record<string, readonly [SQL, () => Error]>>;
  readonly unique: Readonly<Record<string, () => Error>>;
  readonly write: readonly Statement[];
  readonly audit: AuditEntry;
  /** IDs, emails and user ids: all whose customer changes. */
  readonly names: readonly string[];
}

/**
 * Replaces what was said of the same account and mode.
 * @param identifier canonical
 * @throws {ApiError} invalid-request naming identifier or customerId; conflict naming customerId
 */
export async function joinCustomer(
  ctx: RequestContext,
  scope: CustomerScope,
  environmentId: string,
  identifier: string,
  source: StripeSource,
): Promise<void> {
  const saying = await joining(ctx, scope.orgId, environmentId, identifier, source);
  if (saying !== null) await say(ctx, scope, environmentId, identifier, saying);
}

/**
 * The Stripe customer counts for itself again, unless its metadata names the customer. Usage that was merged stays with both.
 * @param identifier canonical
 * @throws {ApiError} invalid-request naming identifier
 */
export async function separateCustomer(
  ctx: RequestContext,
  scope: CustomerScope,
  environmentId: string,
  identifier: string,
  source: StripeSource,
): Promise<void> {
  const saying = await separating(ctx, scope.orgId, environmentId, identifier, source);
  if (saying !== null) await say(ctx, scope, environmentId, identifier, saying);
}

/** Of a customer that exists. @throws {ApiError} as joinCustomer */
export async function say(
  ctx: RequestContext,
  scope: CustomerScope,
  environmentId: string,
  identifier: string,
  { when, unique, write, audit, names }: Saying,
): Promise<void> {
  const isHere = and(
    eq(provisionedCustomer.environmentId, environmentId),
    eq(provisionedCustomer.orgId, scope.orgId),
    eq(provisionedCustomer.identifier, identifier),
  );
  await change(ctx, scope, {
    when: {
      isCreated: [
        sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${isHere})`,
        () => invalidField('identifier', 'Must be a customer that was created by API in this environment'),
      ],
      ...when,
    },
    unique,
    write,
    audit,
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId, names)],
  });
}

/** @param identifier canonical @returns null: it was said already, and the Stripe customer exists */
export async function joining(
  ctx: RequestContext,
  orgId: string,
  environmentId: string,
  identifier: string,
  source: StripeSource,
): Promise<Saying | null> {
  const { db, now } = ctx;
  const { integrationId, customerId } = source;
  const before = await readSources(ctx, environmentId, identifier);
  if (before.find(isThe(source))?.isPresent) return null;
  const isIt = sql`s.org_id = ${orgId} AND s.integration_id = ${integrationId} AND s.id = ${customerId}
    AND ${isSeenIn(sql`s`, environmentId)}`;
  const isTaken = () =>
    conflicting('stripe-customer-taken', 'customerId', 'This Stripe customer is another customer’s already');
  return {
    source,
    when: {
      isAtStripe: [
        sql`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE ${isIt})`,
        () =>
          invalidField(
            'customerId',
            'This Stripe account has no customer with this ID in the environment’s mode',
            'stripe-customer-unknown',
          ),
      ],
      isNoCreated: [
        sql`NOT EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${provisionedCustomer.environmentId} = ${environmentId}
          AND ${provisionedCustomer.identifier} = ${customerId})`,
        () =>
          conflicting(
            'stripe-customer-taken',
            'customerId',
            'This Stripe customer’s ID is another customer’s ID',
          ),
      ],
      isNobodys: [
        sql`NOT EXISTS (SELECT 1 FROM ${customerSource} WHERE ${customerSource.environmentId} = ${environmentId}
          AND ${customerSource.integrationId} = ${integrationId} AND ${customerSource.customerId} = ${customerId}
          AND ${customerSource.identifier} <> ${identifier})`,
        isTaken,
      ],
    },
    unique: { 'customer_source.customer_id': isTaken },
    write: [
      insertSelect(
        db,
        customerSource,
        {
          environmentId,
          identifier,
          integrationId,
          livemode: sql`s.livemode`,
          customerId,
          orgId,
          joinedAt: now,
        },
        { from: sql`${stripeCustomer} s`, where: isIt },
      ).onConflictDoUpdate({
        target: [
          customerSource.environmentId,
          customerSource.identifier,
          customerSource.integrationId,
          customerSource.livemode,
        ],
        set: { customerId, joinedAt: now },
      }),
    ],
    audit: {
      action: 'customer.joined',
      targetId: identifier,
      detail: { environmentId, integrationId, customerId },
    },
    names: await namesOfSources(ctx, orgId, identifier, [...before, source]),
  };
}

/**
 * @param identifier canonical
 * @param source all that were said without it
 * @returns null: nothing was said
 */
export async function separating(
  ctx: RequestContext,
  orgId: string,
  environmentId: string,
  identifier: string,
  source?: StripeSource,
): Promise<Saying | null> {
  const said = await readSources(ctx, environmentId, identifier);
  const before = source === undefined ? said : said.filter(isThe(source));
  if (before.length === 0) return null;
  return {
    source: null,
    when: {},
    unique: {},
    // One whose metadata names the customer is joined again, which is logged.
    write: [customerJoin, customerSource].map((table) =>
      ctx.db
        .delete(table)
        .where(
          and(
            eq(table.orgId, orgId),
            eq(table.environmentId, environmentId),
            eq(table.identifier, identifier),
            sql`(${table.integrationId}, ${table.customerId}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${listed(before)}))`,
          ),
        ),
    ),
    audit: {
      action: 'customer.separated',
      targetId: identifier,
      detail: { environmentId, ...source, customerIds: before.map(({ customerId }) => customerId) },
    },
    names: await namesOfSources(ctx, orgId, identifier, before),
  };
}

const listed = (sources: readonly StripeSource[]) =>
  JSON.stringify(sources.map(({ integrationId, customerId }) => [integrationId, customerId]));

const isThe =
  ({ integrationId, customerId }: StripeSource) =>
  (each: StripeSource): boolean =>
    each.integrationId === integrationId && each.customerId === customerId;

/**
 * The Stripe customers that somebody said to be the created customer, in one environment. One that Stripe has deleted is not present.
 * @param identifier canonical
 */
export function readSources({ db }: Pick<RequestContext, 'db'>, environmentId: string, identifier: string) {
  const { integrationId, customerId } = customerSource;
  const isPresent = sql<number>`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE s.integration_id = ${customerSource}.integration_id
    AND s.id = ${customerSource}.customer_id AND ${isSeenIn(sql`s`, environmentId)})`;
  return (
    db
      .select({ integrationId, customerId, isPresent })
      .from(customerSource)
      .where(and(eq(customerSource.environmentId, environmentId), eq(customerSource.identifier, identifier)))
      // The unary plus keeps SQLite from reading the environment's in this order.
      .orderBy(sql`+${integrationId}`, sql`+${customerId}`)
  );
}

/**
 * IDs, emails and user ids of all whose customer changes with the sources: also of those whose metadata names the customer, which what is
 * said replaces, or which come back without it.
 */
async function namesOfSources(
  ctx: Pick<RequestContext, 'db'>,
  orgId: string,
  identifier: string,
  sources: readonly StripeSource[],
): Promise<string[]> {
  const isOne = sql`(${stripeCustomer.integrationId}, ${stripeCustomer.id})
    IN (SELECT value ->> 0, value ->> 1 FROM json_each(${listed(sources)}))`;
  const names = [isOne, eq(stripeCustomer.userId, identifier)].map((each) => namesAtStripe(ctx, orgId, each));
  return [...new Set((await Promise.all(names)).flat())];
}

/** IDs, emails and user ids. @param isOne condition of `stripe_customer` */
export async function namesAtStripe(
  { db }: Pick<RequestContext, 'db'>,
  orgId: string,
  isOne: SQL,
): Promise<string[]> {
  const { id, email, userId } = stripeCustomer;
  const rows = await db
    .select({ id, email, userId })
    .from(stripeCustomer)
    .where(and(eq(stripeCustomer.orgId, orgId), isOne))
    .limit(MAX_AT_STRIPE);
  return rows.flatMap((row) => [row.id, row.email, row.userId].flatMap((name) => name ?? []));
}
