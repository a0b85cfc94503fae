/** Gives a customer a balance: an amount of a meter beside the quota of its plans. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { MAX_BALANCES, MAX_OPEN_BALANCES } from '#contracts/public/balances';
import type { BalanceRecord } from '#engine/access/balance-record';
import { customerBalance, isUnclosed, NO_END, unclosed } from '#worker/db/schema/customers';
import { featureProperty } from '#worker/db/schema/features';
import { conflicting, invalidField, Refusal } from '#worker/http/api-error';
import type { CustomerScope, PlacedContext, Scope } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { authorOf } from '../entries/author-of.ts';
import { customerFactsOf, isOwnEnvironment } from '../entries/customer-change.ts';

/** Who gives and changes balances: also the service itself, for payments. */
export type BalanceScope = Scope &
  Pick<CustomerScope, 'receipt' | 'isPushedLater'> & { readonly actor: CustomerScope['actor'] | null };

/** Of what Stripe says was paid. */
type PaidWith = Pick<typeof customerBalance.$inferInsert, 'livemode' | 'paymentIntent' | 'paymentLine'>;

/**
 * @param place whose it is and where it counts; null: in all environments
 * @param record of newBalance
 * @param usedUp ids of the customer's balances of which nothing is left: they no longer count as open
 * @throws {ApiError} invalid-request naming propertyId or environmentId; conflict if it exists, or the customer has too many
 */
export async function giveBalance(
  ctx: PlacedContext,
  scope: BalanceScope,
  { identifier, environmentId }: { readonly identifier: string; readonly environmentId: string | null },
  record: BalanceRecord,
  { usedUp = [], paid = {} }: { readonly usedUp?: readonly string[]; readonly paid?: PaidWith } = {},
): Promise<void> {
  const { db, now } = ctx;
  const { orgId } = scope;
  const { id, name, propertyId, amount, category, startsAt, endsAt, priority, entityId, reason } = record;
  await ensureMeter(ctx, scope, propertyId);
  const theirs = sql`FROM ${customerBalance} WHERE org_id = ${orgId} AND customer_identifier = ${identifier}`;
  const tooMany = (most: number, which: string) => () =>
    new Refusal('conflict', 'balance-limit-reached', `A customer can have at most ${most} balances${which}`);
  await change(ctx, scope, {
    when: {
      hasEnvironment: isOwnEnvironment(scope, environmentId),
      isBelowLimit: [sql`(SELECT count(*) ${theirs}) < ${MAX_BALANCES}`, tooMany(MAX_BALANCES, '')],
      isBelowOpen: [
        sql`(SELECT count(*) ${theirs} AND ${isUnclosed(sql`closed_at`)} AND ends_at > ${now}
          AND id NOT IN (SELECT value FROM json_each(${JSON.stringify(usedUp)}))) < ${MAX_OPEN_BALANCES}`,
        tooMany(MAX_OPEN_BALANCES, ' that are neither used up nor ended'),
      ],
    },
    unique: {
      customer_balance: () =>
        conflicting('balance-exists', 'balance', 'The customer already has this balance'),
    },
    write: [
      db.insert(customerBalance).values({
        ...record,
        ...paid,
        orgId,
        environmentId,
        customerIdentifier: identifier,
        endsAt: endsAt ?? NO_END,
        closedAt: unclosed(record),
        ...authorOf(scope),
        updatedAt: now,
      }),
      db
        .update(customerBalance)
        .set({ closedAt: now })
        .where(and(eq(customerBalance.orgId, orgId), inArray(customerBalance.id, [...usedUp]))),
    ],
    audit: {
      action: 'customer.balance-given',
      targetId: identifier,
      detail: {
        ...{ balanceId: id, name, propertyId, environmentId, amount, category, startsAt, endsAt, priority },
        ...(entityId !== null && { entityId }),
        reason,
      },
    },
    publish: [
      customerFactsOf(ctx, scope, { identifier }, environmentId),
      ...(record.paysOverage
        ? [
            {
              messages: [
                { type: 'balance.given', outboxId: ctx.newId('out'), orgId, balanceId: id } as const,
              ],
            },
          ]
        : []),
    ],
  });
}

/** A property that was deleted from the workspace may still be deployed. @throws {ApiError} invalid-request naming propertyId */
async function ensureMeter(
  { db }: Pick<PlacedContext, 'db'>,
  { orgId }: Scope,
  propertyId: string,
): Promise<void> {
  const [property] = await db
    .select({ type: featureProperty.type })
    .from(featureProperty)
    .where(and(eq(featureProperty.id, propertyId), eq(featureProperty.orgId, orgId)));
  if (property !== undefined && property.type !== 'meterable')
    throw invalidField('propertyId', 'The property is not meterable', 'property-not-meterable');
}
