/**
 * Says that a customer that was created by API is a customer of a connected Stripe account, or that it is none. Then the Stripe customer's
 * ID is an alias: its plans, grants, overrides and usage are those of the created customer. See
 * docs/names.md, "One customer, several sources".
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { insertSelect } from '#worker/db/insert-select';
import { customerSource, provisionedCustomer } from '#worker/db/schema/customers';
import { stripeCustomer } from '#worker/db/schema/stripe';
import { isSeenIn } from '#worker/domains/customer-facts/customer-names';
import { conflicting, invalidField } from '#worker/http/api-error';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { customerFactsOf } from './customer-change.ts';

/** A customer of a connected Stripe account. */
export interface StripeSource {
  readonly integrationId: string;
  /** cus_… */
  readonly customerId: string;
}

/** The Stripe customers that somebody said to be the created customer, in one environment. @param identifier canonical */
export function readSources(
  { db }: Pick<RequestContext, 'db'>,
  environmentId: string,
  identifier: string,
): Promise<StripeSource[]> {
  const { integrationId, customerId } = customerSource;
  return db
    .select({ integrationId, customerId })
    .from(customerSource)
    .where(and(eq(customerSource.environmentId, environmentId), eq(customerSource.identifier, identifier)))
    .orderBy(integrationId, customerId);
}

const isTaken = () => conflicting('stripe-customer-taken', 'customerId', 'Is another customer’s already');

/** Condition on `s`: it is the Stripe customer, and the environment sees it. */
function isSource(orgId: string, environmentId: string, { integrationId, customerId }: StripeSource): SQL {
  return sql`s.org_id = ${orgId} AND s.integration_id = ${integrationId} AND s.id = ${customerId}
    AND ${isSeenIn(sql`s`, environmentId)}`;
}

/** Conditions of `change`: the Stripe customer can be the created one. A call that also creates the customer refuses both or none. */
export function joinConditions(
  orgId: string,
  environmentId: string,
  identifier: string,
  source: StripeSource,
) {
  const { integrationId, customerId } = source;
  return {
    isAtStripe: [
      sql`EXISTS (SELECT 1 FROM ${stripeCustomer} s WHERE ${isSource(orgId, environmentId, source)})`,
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
      () => conflicting('stripe-customer-taken', 'customerId', 'Is the ID of another customer'),
    ],
    isNobodys: [
      sql`NOT EXISTS (SELECT 1 FROM ${customerSource} WHERE ${customerSource.environmentId} = ${environmentId}
        AND ${customerSource.integrationId} = ${integrationId} AND ${customerSource.customerId} = ${customerId}
        AND ${customerSource.identifier} <> ${identifier})`,
      isTaken,
    ],
  } as const;
}

/**
 * Replaces what was said of the same account and mode. No effect if it was said already.
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
  const { db, now } = ctx;
  const { orgId } = scope;
  const { integrationId, customerId } = source;
  const before = await readSources(ctx, environmentId, identifier);
  if (before.some((each) => each.integrationId === integrationId && each.customerId === customerId)) return;
  const isHere = and(
    eq(provisionedCustomer.environmentId, environmentId),
    eq(provisionedCustomer.orgId, orgId),
    eq(provisionedCustomer.identifier, identifier),
  );
  const isIt = isSource(orgId, environmentId, source);
  await change(ctx, scope, {
    when: {
      isCreated: [
        sql`EXISTS (SELECT 1 FROM ${provisionedCustomer} WHERE ${isHere})`,
        () => invalidField('identifier', 'Must be a customer that was created by API in this environment'),
      ],
      ...joinConditions(orgId, environmentId, identifier, source),
    },
    unique: {
      'customer_source.customer_id': isTaken,
    },
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
    publish: [
      customerFactsOf(
        ctx,
        scope,
        { identifier },
        environmentId,
        await namesOfSources(ctx, orgId, [...before, source]),
      ),
    ],
  });
}

/**
 * The Stripe customers count for themselves again, except those whose metadata names the customer. Usage that was merged stays with both.
 * No effect if nothing was said.
 * @param identifier canonical
 */
export async function separateCustomer(
  ctx: RequestContext,
  scope: CustomerScope,
  environmentId: string,
  identifier: string,
): Promise<void> {
  const { orgId } = scope;
  const before = await readSources(ctx, environmentId, identifier);
  if (before.length === 0) return;
  await change(ctx, scope, {
    write: [
      ctx.db
        .delete(customerSource)
        .where(
          and(
            eq(customerSource.orgId, orgId),
            eq(customerSource.environmentId, environmentId),
            eq(customerSource.identifier, identifier),
          ),
        ),
    ],
    audit: {
      action: 'customer.separated',
      targetId: identifier,
      detail: { environmentId, customerIds: before.map(({ customerId }) => customerId) },
    },
    publish: [
      customerFactsOf(ctx, scope, { identifier }, environmentId, await namesOfSources(ctx, orgId, before)),
    ],
  });
}

/** IDs, emails and user ids: all whose customer changes with the sources. */
async function namesOfSources(
  { db }: Pick<RequestContext, 'db'>,
  orgId: string,
  sources: readonly StripeSource[],
): Promise<string[]> {
  const given = JSON.stringify(sources.map(({ integrationId, customerId }) => [integrationId, customerId]));
  const { id, email, userId } = stripeCustomer;
  const rows = await db
    .select({ id, email, userId })
    .from(stripeCustomer)
    .where(
      sql`${stripeCustomer.orgId} = ${orgId} AND (${stripeCustomer.integrationId}, ${id})
        IN (SELECT value ->> 0, value ->> 1 FROM json_each(${given}))`,
    );
  return rows.flatMap((row) => [row.id, row.email, row.userId].flatMap((name) => name ?? []));
}
