/**
 * Sends fixed usage to Stripe's meter. The identifier is the organisation and the hour, which Stripe takes once within a
 * day: whatever becomes of an answer, the same is sent again, and billed once. What Stripe may or may not have for longer
 * than that is left to people rather than billed twice.
 */
import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm';
import { billableUsage } from '#worker/db/schema/billing';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isStripeError } from '#worker/platform/stripe-error';
import { openBillingAccount } from './billing-account.ts';
import { METER_EVENT_NAME } from './grow-lookups.ts';

export type BillableRow = typeof billableUsage.$inferSelect;

const MAX_PER_RUN = 100;
/** Stripe keeps identifiers for at least a day. */
const IDENTIFIER_KEPT_MS = 23 * 3_600_000;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Bounded: what is left comes with the next run. A failure is logged, and tried again after a pause that grows.
 * @param orgId only this organisation's, whatever pause it is in; otherwise all that is due
 */
export async function sendBillableUsage(
  ctx: WorkContext,
  orgId?: string,
): Promise<{ readonly sent: number; readonly failed: number }> {
  const due = await ctx.db
    .select()
    .from(billableUsage)
    .where(
      orgId === undefined
        ? lte(billableUsage.nextTryAt, ctx.now)
        : and(eq(billableUsage.orgId, orgId), sql`${billableUsage.nextTryAt} IS NOT NULL`),
    )
    .orderBy(asc(billableUsage.nextTryAt))
    .limit(MAX_PER_RUN);
  if (due.length === 0) return { sent: 0, failed: 0 };
  const stripe = await openBillingAccount(ctx);
  let sent = 0;
  for (const row of due) {
    if (await send(ctx, stripe, row)) sent += 1;
  }
  return { sent, failed: due.length - sent };
}

export function identifierOf({ orgId, hourAt }: Pick<BillableRow, 'orgId' | 'hourAt'>): string {
  return `${orgId}:${new Date(hourAt).toISOString().slice(0, 13)}`;
}

async function send(ctx: WorkContext, stripe: StripeClient, row: BillableRow): Promise<boolean> {
  const { now, log } = ctx;
  const identifier = identifierOf(row);
  if (row.uncertainSince !== null && now - row.uncertainSince > IDENTIFIER_KEPT_MS) {
    await change(ctx, row, { nextTryAt: null, error: 'Stripe may have it already, and can no longer tell' });
    log.error('usage is not sent again: look at Stripe whether it was billed', { identifier });
    return false;
  }
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(row.attempts, 10), MAX_PAUSE_MS);
  // Written down before it is sent: after a crash it counts as possibly sent.
  await change(ctx, row, {
    attempts: row.attempts + 1,
    nextTryAt: now + pauseMs,
    uncertainSince: row.uncertainSince ?? now,
  });
  try {
    await stripe.billing.meterEvents.create({
      event_name: METER_EVENT_NAME,
      identifier,
      timestamp: Math.floor(row.usedAt / 1000),
      payload: { stripe_customer_id: row.stripeCustomerId, value: String(row.quantity) },
    });
  } catch (error) {
    if (!isKnownAlready(error)) {
      const message = error instanceof Error ? error.message : String(error);
      const uncertainSince = isRefusal(error) ? row.uncertainSince : (row.uncertainSince ?? now);
      await change(ctx, row, { error: message.slice(0, 500), uncertainSince });
      log.error('usage could not be sent to Stripe', { identifier, error });
      return false;
    }
  }
  await change(ctx, row, { sentAt: now, nextTryAt: null, uncertainSince: null, error: null });
  return true;
}

/** What another run has sent meanwhile stays sent. */
async function change(
  { db }: WorkContext,
  { orgId, hourAt }: BillableRow,
  values: Partial<BillableRow>,
): Promise<void> {
  await db
    .update(billableUsage)
    .set(values)
    .where(
      and(eq(billableUsage.orgId, orgId), eq(billableUsage.hourAt, hourAt), isNull(billableUsage.sentAt)),
    );
}

/** Stripe has an event with this identifier: an earlier try came through. */
function isKnownAlready(error: unknown): boolean {
  return (
    isStripeError(error) &&
    /identifier/i.test(error.message) &&
    /already|exist|duplicate/i.test(error.message)
  );
}

/** Stripe said no: it does not have it. */
function isRefusal(error: unknown): boolean {
  const status = isStripeError(error) ? error.statusCode : undefined;
  return status !== undefined && status >= 400 && status < 500;
}
