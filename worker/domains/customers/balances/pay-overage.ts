/**
 * A balance that pays overage pays it once, after it was given: what the customer has used above quota and balances counts as drawn from it.
 * Each environment where it applies has usage of its own.
 */
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { GrantSource } from '#contracts/internal/ledger';
import { NOWHERE } from '#engine/access/place';
import { resolvedValue } from '#engine/entitlements/resolve';
import type { BalanceGiven } from '#runtime/messages';
import { listEnvironmentIds, liveEnvironment } from '#worker/db/live-environments';
import { customerBalance } from '#worker/db/schema/customers';
import { environment } from '#worker/db/schema/environments';
import { auditLog } from '#worker/db/schema/operations';
import { inspectCustomer } from '#worker/domains/access/inspect-customer';
import type { WorkContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { outboxDone } from '#worker/queue/outbox';
import { resolveAlias } from '../entries/resolve-alias.ts';
import { asBalance, type BalanceRow } from './balance-rows.ts';

const ACTION = 'customer.balance-paid-overage';
/** Occurs in no key that callers choose. */
const KEY = '\u0001overage:';

/** @throws {ApiError} if a ledger cannot be reached; the queue tries again, and what was paid is paid */
export async function payOverage(
  ctx: WorkContext,
  { outboxId, orgId, balanceId }: BalanceGiven,
): Promise<void> {
  const { db } = ctx;
  const isIt = and(eq(customerBalance.id, balanceId), eq(customerBalance.orgId, orgId));
  const [stored] = await db.select().from(customerBalance).where(isIt);
  if (stored?.paysOverage && stored.overagePaidAt === null) {
    const row = asBalance(stored);
    for (const environmentId of await listEnvironmentIds(db, isWhere(row)))
      await payIn(ctx, row, environmentId);
    await db
      .update(customerBalance)
      .set({ overagePaidAt: ctx.clock() })
      .where(and(isIt, isNull(customerBalance.overagePaidAt)));
  }
  await outboxDone(db, outboxId);
}

/** What was paid in test mode does not count in live environments. */
function isWhere({ orgId, environmentId, livemode }: BalanceRow): SQL | undefined {
  const isLive = livemode === false ? sql`${environment.type} <> 'live'` : undefined;
  return and(liveEnvironment(orgId, environmentId ?? undefined), isLive);
}

async function payIn(ctx: WorkContext, row: BalanceRow, environmentId: string): Promise<void> {
  const { id, name, orgId, propertyId, amount, takenBack, customerIdentifier: identifier } = row;
  const scope = { orgId };
  const { customer, facts } = await resolveAlias(ctx.db, scope, environmentId, identifier);
  const context = { ...ctx, now: ctx.clock(), place: NOWHERE, requestId: id };
  const asked = { environmentId, identifier, customer, facts };
  const { resolution } = await inspectCustomer(context, scope, asked);
  const property = resolution?.prepared.propertyById.get(propertyId);
  if (resolution == null || property?.type !== 'meterable') return;
  const value = resolvedValue(resolution, property);
  const isTheirs = resolution.balances?.get(property.index)?.some((each) => each.id === id);
  if (typeof value !== 'object' || value.state !== 'metered' || !isTheirs) return;
  const paysOverage: GrantSource = { grant: id, amount: amount - takenBack, ...(name !== null && { name }) };
  const { counted } = await inspectCustomer(context, scope, asked, {
    kind: 'update',
    idempotencyHeader: null,
    count: {
      ...{ feature: property.feature.slug, property: property.property.key },
      ...{ idempotencyKey: KEY + id, enforce: false, isCorrection: true, paysOverage },
    },
  });
  if (counted === null) throw new Error('The overage was not paid');
  const { applied } = counted;
  if (applied === 0) return;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${auditLog} WHERE ${auditLog.orgId} = ${orgId}
    AND ${auditLog.action} = ${ACTION} AND ${auditLog.targetId} = ${identifier}
    AND ${auditLog.detail} ->> 'balanceId' = ${id} AND ${auditLog.detail} ->> 'environmentId' = ${environmentId})`;
  await change(
    { ...context },
    { orgId, actor: null },
    {
      write: [],
      audit: {
        action: ACTION,
        targetId: identifier,
        detail: { balanceId: id, name, propertyId, environmentId, applied, amount },
        onlyIf: isNew,
      },
      publish: [],
    },
  );
}
