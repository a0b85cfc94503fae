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
import { raiseVersions } from '#worker/domains/customer-facts/next-facts-version';
import { customerFactsOf } from '#worker/domains/customers/entries/customer-change';
import { conflicting, invalidField } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';

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
  /** One for each Stripe customer. It is one call, which is the first one's. */
  readonly audit: readonly AuditEntry[];
  /** IDs, emails and user ids of Stripe customers: those that the names of the customer do not lead to afterwards are complete. */
  readonly names: readonly string[];
}

/**
 * Of a customer that exists.
 * @param identifier canonical
 * @param saying null: it is so already
 * @throws {ApiError} invalid-request naming identifier, and those of the conditions
 */
export async function say(
  ctx: RequestContext,
  scope: CustomerScope,
  environmentId: string,
  identifier: string,
  saying: Saying | null,
): Promise<void> {
  if (saying === null) return;
  const { when, unique, write, audit, names } = saying;
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
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId, { atStripe: names })],
  });
}

/**
 * Replaces what was said of the same account and mode.
 * @param identifier canonical
 * @returns null: it was said already, and the Stripe customer exists
 * @throws when it is committed: {ApiError} invalid-request or conflict naming customerId
 */
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
    audit: [
      {
        action: 'customer.joined',
        targetId: identifier,
        detail: { environmentId, integrationId, customerId },
      },
    ],
    names: [customerId, ...before.flatMap(namesOf)],
  };
}

/**
 * The Stripe customer counts for itself again, unless its metadata names the customer. Usage that was merged stays with both.
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
  const { db } = ctx;
  const listed = sql`json_each(${JSON.stringify(before)})`;
  const pair = sql`value ->> 'integrationId' AS integration_id, value ->> 'customerId' AS customer_id`;
  return {
    source: null,
    when: {},
    unique: {},
    // One whose metadata names the customer is joined again, which is logged.
    write: [
      raiseVersions(db, orgId, sql`SELECT ${pair} FROM ${listed}`),
      ...[customerJoin, customerSource].map((table) =>
        db
          .delete(table)
          .where(
            and(
              eq(table.orgId, orgId),
              eq(table.environmentId, environmentId),
              eq(table.identifier, identifier),
              sql`(${table.integrationId}, ${table.customerId}) IN (SELECT ${pair} FROM ${listed})`,
            ),
          ),
      ),
    ],
    audit: before.map(({ integrationId, customerId }, index) => ({
      action: 'customer.separated',
      targetId: identifier,
      detail: {
        ...{ environmentId, integrationId, customerId, customerIds: [customerId] },
        ...(index > 0 && { isPart: 1 }),
      },
    })),
    names: before.flatMap(namesOf),
  };
}

const namesOf = ({ customerId, email, userId }: Awaited<ReturnType<typeof readSources>>[number]) =>
  [customerId, email, userId].flatMap((name) => name ?? []);

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
  const { email, userId } = stripeCustomer;
  const isPresent = sql<number>`${isSeenIn(sql`${stripeCustomer}`, environmentId)}`;
  const isIt = and(eq(stripeCustomer.integrationId, integrationId), eq(stripeCustomer.id, customerId));
  return (
    db
      .select({ integrationId, customerId, email, userId, isPresent })
      .from(customerSource)
      .leftJoin(stripeCustomer, isIt)
      .where(and(eq(customerSource.environmentId, environmentId), eq(customerSource.identifier, identifier)))
      // The unary plus keeps SQLite from reading the environment's in this order.
      .orderBy(sql`+${integrationId}`, sql`+${customerId}`)
  );
}
