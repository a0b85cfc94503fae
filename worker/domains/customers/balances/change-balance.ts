/** Changes a stored balance: how it is drawn from, or how much of it was taken back. What was drawn stays drawn. */
import { and, eq, sql } from 'drizzle-orm';
import type { BalanceRecord } from '#engine/access/balance-record';
import type { AuditEntry } from '#worker/db/audit';
import { customerBalance, NO_END, unclosed } from '#worker/db/schema/customers';
import type { PlacedContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { customerFactsOf } from '../entries/customer-change.ts';
import type { BalanceRow } from './balance-rows.ts';
import type { BalanceScope } from './give-balance.ts';

/**
 * @param before as read
 * @param after of changedBalance
 * @returns false: somebody changed it since, and nothing was changed
 */
export function changeBalance(
  ctx: PlacedContext,
  scope: BalanceScope,
  before: BalanceRow,
  after: BalanceRecord,
): Promise<boolean> {
  return store(
    ctx,
    scope,
    before,
    { ...after, source: before.source },
    {
      action: 'customer.balance-changed',
      detail: { reason: after.reason, from: termsOf(before), to: termsOf(after) },
    },
  );
}

function termsOf({ endsAt, priority, needsPlan, isFrozen }: BalanceRecord) {
  return { endsAt, priority, needsPlan, isFrozen };
}

/**
 * Usage that is counted meanwhile can leave more used than there is.
 *
 * @param before as read
 * @param taken `applied` of takeableOf, at least 1
 * @returns as changeBalance
 */
export function takeBack(
  ctx: PlacedContext,
  scope: BalanceScope,
  before: BalanceRow,
  taken: { readonly applied: number; readonly used: number | null; readonly reason: string },
): Promise<boolean> {
  const { amount } = before;
  const after = { ...before, takenBack: before.takenBack + taken.applied };
  return store(ctx, scope, before, after, {
    action: 'customer.balance-taken-back',
    detail: { amount, takenBack: after.takenBack, ...taken },
  });
}

/**
 * What a refund or a dispute makes of a balance that was paid for.
 *
 * @param before as read
 * @param adjusted `applied` may be 0; the source says what was asked back
 * @returns as changeBalance
 */
export function adjustBalance(
  ctx: PlacedContext,
  scope: BalanceScope,
  before: BalanceRow,
  adjusted: {
    readonly applied: number;
    readonly used: number;
    readonly isFrozen: boolean;
    readonly source: BalanceRow['source'];
    readonly reason: string;
  },
): Promise<boolean> {
  const { applied, used, isFrozen, source, reason } = adjusted;
  const after = { ...before, takenBack: before.takenBack + applied, isFrozen, source };
  return store(
    ctx,
    scope,
    before,
    after,
    applied > 0
      ? {
          action: 'customer.balance-taken-back',
          detail: { amount: before.amount, takenBack: after.takenBack, applied, used, reason },
        }
      : {
          action: 'customer.balance-changed',
          detail: { reason, from: termsOf(before), to: termsOf(after) },
        },
  );
}

async function store(
  ctx: PlacedContext,
  scope: BalanceScope,
  before: BalanceRow,
  after: BalanceRecord & { readonly source: BalanceRow['source'] },
  { action, detail }: Pick<AuditEntry, 'action' | 'detail'>,
): Promise<boolean> {
  const { db, now } = ctx;
  const { id, orgId, customerIdentifier: identifier, environmentId, name, propertyId } = before;
  const { endsAt, priority, needsPlan, isFrozen, costBasis, reason, takenBack, source } = after;
  const isIt = and(eq(customerBalance.id, id), eq(customerBalance.orgId, orgId));
  const { unmet } = await change(ctx, scope, {
    when: {
      isAsRead: sql`(SELECT updated_at FROM ${customerBalance} WHERE ${isIt}) IS ${before.updatedAt}`,
    },
    write: [
      db
        .update(customerBalance)
        .set({
          ...{ priority, needsPlan, isFrozen, costBasis, reason, takenBack, source },
          endsAt: endsAt ?? NO_END,
          // One that has ended can be drawn from again if its end is moved.
          closedAt: endsAt === before.endsAt ? before.closedAt : unclosed(before),
          updatedAt: Math.max(now, before.updatedAt + 1),
        })
        .where(isIt),
    ],
    audit: {
      action,
      targetId: identifier,
      detail: { balanceId: id, name, propertyId, environmentId, ...detail },
    },
    publish: [customerFactsOf(ctx, scope, { identifier }, environmentId)],
  });
  return unmet === null;
}
