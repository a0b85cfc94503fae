/**
 * Sends counted usage to Stripe's meter. The identifier is organisation and hour, and Stripe deduplicates it for a
 * day, so a retry after a lost response is billed once. Usage with an unknown outcome for longer than that is left to
 * platform staff instead of being billed twice, and so is usage that Stripe no longer accepts.
 */
import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm';
import { pauseAfter } from '#engine/back-off';
import { billableUsage } from '#worker/db/schema/billing';
import type { WorkContext } from '#worker/http/request-context';
import type { StripeClient } from '#worker/platform/stripe';
import { isStripeError } from '#worker/platform/stripe-error';
import { openBillingAccount } from './billing-account.ts';
import { METER_EVENT_NAME } from './publish-stripe-lookups.ts';

export type BillableRow = typeof billableUsage.$inferSelect;

const MAX_PER_RUN = 100;
/** Stripe deduplicates identifiers for at least a day. */
const DEDUPLICATION_MS = 23 * 3_600_000;
const PAUSES_MS = { first: 60_000, longest: 3_600_000 };

/**
 * Bounded per run; the next run continues. A failure is logged and retried with exponential backoff.
 * @param orgId sends this organisation's usage, ignoring backoff; without it, sends all due usage
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
        : and(eq(billableUsage.orgId, orgId), isNotNull(billableUsage.nextTryAt)),
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

/** Whether some of the organisation's usage is still to be sent. */
export async function hasUnsentUsage({ db }: Pick<WorkContext, 'db'>, orgId: string): Promise<boolean> {
  const [row] = await db
    .select({ hourAt: billableUsage.hourAt })
    .from(billableUsage)
    .where(and(eq(billableUsage.orgId, orgId), isNotNull(billableUsage.nextTryAt)))
    .limit(1);
  return row !== undefined;
}

export function identifierOf({ orgId, hourAt }: Pick<BillableRow, 'orgId' | 'hourAt'>): string {
  return `${orgId}:${new Date(hourAt).toISOString().slice(0, 13)}`;
}

async function send(ctx: WorkContext, stripe: StripeClient, row: BillableRow): Promise<boolean> {
  const { now, log } = ctx;
  const identifier = identifierOf(row);
  if (row.uncertainSince !== null && now - row.uncertainSince > DEDUPLICATION_MS) {
    await change(ctx, row, { nextTryAt: null, error: 'Stripe may have it already, and can no longer tell' });
    log.error('usage is not retried: check in Stripe whether it was billed', { identifier });
    return false;
  }
  const attempts = row.attempts + 1;
  // Recorded before sending: after a crash the usage counts as possibly sent.
  await change(ctx, row, {
    attempts,
    nextTryAt: now + pauseAfter(attempts, PAUSES_MS),
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
    if (!isDuplicate(error)) {
      const message = error instanceof Error ? error.message : String(error);
      const uncertainSince = isRejection(error) ? row.uncertainSince : (row.uncertainSince ?? now);
      const isFinal = isTooOld(error);
      await change(ctx, row, {
        error: message.slice(0, 500),
        uncertainSince,
        ...(isFinal ? { nextTryAt: null } : {}),
      });
      log.error(
        isFinal ? 'usage is not retried: Stripe no longer accepts it' : 'usage could not be sent to Stripe',
        { identifier, quantity: row.quantity, error },
      );
      return false;
    }
  }
  await change(ctx, row, { sentAt: now, nextTryAt: null, uncertainSince: null, error: null });
  return true;
}

/** Does not change a row that a concurrent run has sent. */
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

/** Stripe already has an event with this identifier: an earlier attempt succeeded. */
function isDuplicate(error: unknown): boolean {
  return (
    isStripeError(error) &&
    /identifier/i.test(error.message) &&
    /already|exist|duplicate/i.test(error.message)
  );
}

/** Stripe accepts usage of the past 35 days. */
function isTooOld(error: unknown): boolean {
  return isStripeError(error) && error.code === 'timestamp_too_far_in_past';
}

/** Stripe rejected the request, so the usage was not recorded. */
function isRejection(error: unknown): boolean {
  const status = isStripeError(error) ? error.statusCode : undefined;
  return status !== undefined && status >= 400 && status < 500;
}
