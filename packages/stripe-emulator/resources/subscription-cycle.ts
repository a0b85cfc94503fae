// What time does to a subscription: periods and trials end, payments are retried, pauses of collection end.
import type { Context } from '../core/emulator.ts';
import type { InvoiceRecord, SubscriptionRecord } from '../store/records.ts';
import { addInterval } from './add-interval.ts';
import { outcomeOf } from './charge-payment.ts';
import { emitEvent } from './emit-event.ts';
import {
  awaitPayment,
  closeInvoice,
  createInvoice,
  failInvoice,
  markFailed,
  payInvoice,
} from './invoice-changes.ts';
import { showInvoice } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { methodOf } from './payment-methods.ts';
import {
  cancelSubscription,
  expireSubscription,
  saveSubscription,
  withoutSpent,
} from './subscription-changes.ts';
import { dueAt, endedStatuses, showSubscription, trialEndWarningAt } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/** Pauses between the attempts to charge an invoice, in seconds. Then Stripe gives up. */
const retryPauses = [3, 5, 7].map((days) => days * 86_400);

/** Makes the change that is due first. */
export function advanceSubscription(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const at = dueAt(record);
  if (record.status === 'incomplete') return expireSubscription(context, record);
  if (record.cancel_at !== null && record.cancel_at <= at) return cancelSubscription(context, record);
  if (trialEndWarningAt(record) === at) return announceTrialEnd(context, record);
  if (record.pause_collection?.resumes_at === at) {
    return saveSubscription(context, { ...record, pause_collection: null });
  }
  if (record.retry_at === at) return retryPayment(context, record);
  return endPeriod(context, record);
}

function announceTrialEnd(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const announced: SubscriptionRecord = { ...record, isTrialEndAnnounced: true };
  saveSubscription(context, announced);
  emitEvent(context, 'customer.subscription.trial_will_end', showSubscription(context, announced));
  return announced;
}

/** Processes the end of a period: cancellation, the end of the trial, or renewal. */
export function endPeriod(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  if (endedStatuses.includes(record.status)) return record;
  const context = atTestClock(outer, record);
  if (record.cancel_at_period_end || (record.cancel_at !== null && record.cancel_at <= context.now)) {
    return cancelSubscription(context, record);
  }
  const isTrialOver = record.status === 'trialing';
  if (isTrialOver && isPaymentMissing(context, record)) {
    if (record.trial_end_behaviour === 'cancel') return cancelSubscription(context, record, { reason: null });
    if (record.trial_end_behaviour === 'pause') {
      return pauseSubscription(context, record, 'trial_end_without_payment_method');
    }
  }
  const next = nextPeriod(context, { ...record, status: isTrialOver ? 'active' : record.status });
  const isStopped = ['past_due', 'unpaid', 'paused'].includes(record.status) && !record.chargesCard;
  if (isStopped) return saveSubscription(context, next);
  const { pause_collection: pause } = record;
  const invoice = createInvoice(context, next, 'subscription_cycle', {
    used: { from: record.current_period_start, to: record.current_period_end },
    items: next.items.filter(({ period }) => !period || period.start === next.current_period_start),
    isDraft: record.status === 'unpaid' || pause?.behavior === 'keep_as_draft',
  });
  const renewed = withoutSpent(context, next, invoice);
  if (pause === null)
    return invoice.status === 'draft'
      ? saveInvoiced(context, renewed, invoice)
      : collect(context, renewed, invoice);
  if (pause.behavior !== 'keep_as_draft' && invoice.status === 'open') {
    closeInvoice(context, invoice, pause.behavior === 'void' ? 'void' : 'uncollectible');
  }
  return saveInvoiced(context, renewed, invoice);
}

function isPaymentMissing(context: Context, record: SubscriptionRecord): boolean {
  const isCharged = record.chargesCard && record.collection_method === 'charge_automatically';
  return isCharged === true && methodOf(context, record) === null;
}

/** The subscription in the period that follows; with different intervals, the items that end first move on. */
export function nextPeriod(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const start = record.current_period_end;
  const anchor = record.billing_cycle_anchor;
  const endOf = (price: string) => addInterval(start, getRecord(context, 'price', price).recurring, anchor);
  const ends = record.items.map(({ price }) => endOf(price));
  const isMixed = ends.some((end) => end !== ends[0]) || record.items.some(({ period }) => period);
  if (!isMixed) {
    return { ...record, current_period_start: start, current_period_end: ends[0] ?? start };
  }
  const items = record.items.map((item, index) =>
    item.period && item.period.end > start ? item : { ...item, period: { start, end: ends[index] ?? start } },
  );
  const current_period_end = Math.min(...items.map(({ period }) => period?.end ?? start));
  return { ...record, items, current_period_start: start, current_period_end };
}

/** Asks for the payment of a new invoice: of the card, or of the customer who gets it sent. */
function collect(context: Context, record: SubscriptionRecord, invoice: InvoiceRecord): SubscriptionRecord {
  if (!record.chargesCard) {
    payInvoice(context, invoice, { method: methodOf(context, record) });
    return saveInvoiced(context, record, invoice);
  }
  if (record.collection_method === 'charge_automatically' || invoice.total <= 0) {
    return chargeInvoice(context, record, invoice);
  }
  return saveInvoiced(context, { ...record, retry_at: invoice.due_date ?? null }, invoice);
}

function saveInvoiced(
  context: Context,
  record: SubscriptionRecord,
  { id }: InvoiceRecord,
): SubscriptionRecord {
  return saveSubscription(context, { ...record, latest_invoice: id });
}

/** Charges the card. A failure is retried; after the last one the account's setting decides. */
export function chargeInvoice(
  context: Context,
  record: SubscriptionRecord,
  invoice: InvoiceRecord,
): SubscriptionRecord {
  const method = methodOf(context, record);
  const outcome = method === null ? 'failed' : outcomeOf(method);
  if (invoice.total <= 0 || outcome === 'succeeded') {
    payInvoice(context, invoice, { method });
    return saveInvoiced(context, { ...record, status: 'active', paused: null, retry_at: null }, invoice);
  }
  if (method !== null && outcome === 'processing') {
    awaitPayment(context, invoice, method);
    return saveInvoiced(context, { ...record, paused: null, retry_at: null }, invoice);
  }
  failInvoice(context, invoice, nextAttemptAt(context, invoice), method);
  return afterFailure(context, record, invoice);
}

/** A payment that a bank has returned. */
export function fallPastDue(
  context: Context,
  record: SubscriptionRecord,
  invoice: InvoiceRecord,
): SubscriptionRecord {
  markFailed(context, invoice, nextAttemptAt(context, invoice));
  return afterFailure(context, record, invoice);
}

/** In Unix seconds; null: there is no further attempt. */
function nextAttemptAt(context: Context, { attempt_count }: InvoiceRecord): number | null {
  const pause = retryPauses[attempt_count];
  return pause === undefined ? null : context.now + pause;
}

function afterFailure(
  context: Context,
  record: SubscriptionRecord,
  invoice: InvoiceRecord,
): SubscriptionRecord {
  const retry_at = nextAttemptAt(context, invoice);
  const { afterRetries = 'cancel' } = context.account;
  const isLast = retry_at === null;
  const failed: SubscriptionRecord = {
    ...record,
    status: isLast && afterRetries === 'unpaid' ? 'unpaid' : 'past_due',
    paused: null,
    retry_at,
  };
  const saved = saveInvoiced(context, failed, invoice);
  const isGivenUp = isLast && afterRetries === 'cancel';
  return isGivenUp ? cancelSubscription(context, saved, { reason: 'payment_failed' }) : saved;
}

function retryPayment(context: Context, record: SubscriptionRecord): SubscriptionRecord {
  const invoice = latestOpenInvoice(context, record);
  if (invoice === undefined) return saveSubscription(context, { ...record, retry_at: null });
  if (record.collection_method === 'charge_automatically') return chargeInvoice(context, record, invoice);
  emitEvent(context, 'invoice.overdue', showInvoice(context, invoice));
  return saveSubscription(context, { ...record, status: 'past_due', retry_at: null });
}

function latestOpenInvoice(context: Context, { latest_invoice: id }: SubscriptionRecord) {
  const invoice = id === null ? undefined : context.emulator.objects.find(context.scope, 'invoice', id);
  return invoice?.status === 'open' ? invoice : undefined;
}

/** Stops a subscription with its invoices, until it is resumed. */
export function pauseSubscription(
  context: Context,
  record: SubscriptionRecord,
  reason: NonNullable<SubscriptionRecord['paused']>['reason'],
): SubscriptionRecord {
  return saveSubscription(context, { ...record, status: 'paused', paused: { at: context.now, reason } });
}

/** Fails the payment for the current period: the invoice is open and the subscription past due. */
export function failPayment(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const invoice = createInvoice(context, record, 'subscription_cycle');
  failInvoice(context, invoice);
  return saveSubscription(context, { ...record, status: 'past_due', latest_invoice: invoice.id });
}

/** Pays the open invoice. */
export function payOpenInvoice(outer: Context, record: SubscriptionRecord): SubscriptionRecord {
  const context = atTestClock(outer, record);
  const invoice = latestOpenInvoice(context, record);
  if (invoice) payInvoice(context, invoice, { method: methodOf(context, record) });
  const { isPaymentProcessing: _, ...settled } = record;
  return saveSubscription(context, { ...settled, status: 'active', retry_at: null });
}
