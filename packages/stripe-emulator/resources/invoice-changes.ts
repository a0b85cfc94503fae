// What happens to an invoice: it is created, finalized, charged, paid, or closed unpaid. Each change is saved with its events.
import { type Context, newId } from '../core/emulator.ts';
import type { PaymentIntentRecord, PaymentMethodRecord } from '../store/payment-records.ts';
import type {
  InvoiceLineRecord,
  InvoiceRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../store/records.ts';
import { cancelPayment, chargePayment, endProcessing, type PaymentOutcome } from './charge-payment.ts';
import { attributesOf as customerAttributes } from './customer-record.ts';
import { discountsAt } from './discount-record.ts';
import { emitEvent } from './emit-event.ts';
import { discountLines, linesOfItems } from './invoice-lines.ts';
import { showInvoicePayment } from './invoice-payment-record.ts';
import { attributesOf, showInvoice, totalOf } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { addPaymentIntent } from './payment-intent-record.ts';

export interface InvoiceOptions {
  /** The period of the billed usage, in Unix seconds; null for no usage. */
  used?: { from: number; to: number } | null;
  /** The billed items; default: all. */
  items?: readonly SubscriptionItemRecord[];
  /** Lines of prices that are paid once. */
  once?: readonly InvoiceLineRecord[];
  /** Stays a draft, which nobody is asked to pay. */
  isDraft?: boolean;
}

/** Creates the invoice at the start of a period: licensed prices for this period, metered prices for the previous one. */
export function createInvoice(
  context: Context,
  subscription: SubscriptionRecord,
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
  options: InvoiceOptions = {},
): InvoiceRecord {
  return addInvoice(context, newInvoice(context, subscription, reason, options));
}

/** Stores a new invoice; one that is open is finalized. */
export function addInvoice(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  const { objects } = context.emulator;
  objects.insert(context.scope, 'invoice', invoice, attributesOf(invoice));
  const isOpen = invoice.status === 'open';
  const transitions = { ...invoice.status_transitions, finalized_at: null };
  const draft = { ...invoice, status: 'draft' as const, status_transitions: transitions };
  emitEvent(context, 'invoice.created', showInvoice(context, draft));
  const customer = getRecord(context, 'customer', invoice.customer);
  const numbered = {
    ...customer,
    currency: invoice.currency,
    next_invoice_sequence: customer.next_invoice_sequence + 1,
  };
  objects.update(context.scope, 'customer', numbered, customerAttributes(numbered));
  return isOpen ? openInvoice(context, invoice) : invoice;
}

/** Finalizes a draft. */
export function finalizeInvoice(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  const { automatically_finalizes_at: _, ...draft } = invoice;
  return openInvoice(context, {
    ...draft,
    status: 'open',
    status_transitions: { ...invoice.status_transitions, finalized_at: context.now },
    due_date:
      invoice.due_date ??
      (invoice.collection_method === 'send_invoice' && typeof invoice.days_until_due === 'number'
        ? context.now + invoice.days_until_due * 86_400
        : null),
  });
}

function openInvoice(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  save(context, invoice);
  emitEvent(context, 'invoice.finalized', showInvoice(context, invoice));
  return invoice.total > 0 ? paymentOf(context, invoice).invoice : invoice;
}

/** The invoice, not stored yet. */
export function newInvoice(
  context: Context,
  subscription: SubscriptionRecord,
  reason: InvoiceRecord['billing_reason'],
  { used = null, items = subscription.items, once = [], isDraft = false }: InvoiceOptions = {},
): InvoiceRecord {
  const { currency } = subscription;
  const discounts = discountsAt(context, subscription.discounts ?? [], subscription.current_period_start);
  const own = [...linesOfItems(context, subscription, items, used), ...once];
  const lines = discountLines(context, own, discounts, currency);
  const customer = getRecord(context, 'customer', subscription.customer);
  return {
    id: newId('in', 24),
    created: context.now,
    attempt_count: 0,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    currency,
    customer: subscription.customer,
    ...(discounts.length === 0 ? {} : { discounts: discounts.map(({ id }) => id) }),
    lines,
    number: numberOf(customer),
    period_end: subscription.current_period_end,
    period_start: subscription.current_period_start,
    status: isDraft ? 'draft' : 'open',
    status_transitions: {
      finalized_at: isDraft ? null : context.now,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subscription: subscription.id,
    total: totalOf(lines),
    due_date:
      subscription.collection_method === 'send_invoice'
        ? context.now + (subscription.days_until_due ?? 0) * 86_400
        : null,
  };
}

export function numberOf({
  id,
  next_invoice_sequence,
}: {
  id: string;
  next_invoice_sequence: number;
}): string {
  return `${id.slice(-8).toUpperCase()}-${String(next_invoice_sequence).padStart(4, '0')}`;
}

const paymentDescriptions: Partial<Record<string, string>> = {
  subscription_create: 'Subscription creation',
  subscription_cycle: 'Subscription update',
  subscription_update: 'Subscription update',
};

/** The payment intent of an open invoice. */
function paymentOf(
  context: Context,
  invoice: InvoiceRecord,
): { invoice: InvoiceRecord; intent: PaymentIntentRecord } {
  if (invoice.payment_intent !== undefined) {
    return { invoice, intent: getRecord(context, 'payment_intent', invoice.payment_intent) };
  }
  const intent = addPaymentIntent(context, {
    amount: invoice.total,
    currency: invoice.currency,
    customer: invoice.customer,
    description: paymentDescriptions[invoice.billing_reason ?? ''] ?? 'Payment for Invoice',
    invoice: invoice.id,
  });
  return { invoice: save(context, { ...invoice, payment_intent: intent.id }), intent };
}

/** Charges the invoice's payment intent. A payment that waits for its bank is settled instead. */
function charge(
  context: Context,
  given: InvoiceRecord,
  method: PaymentMethodRecord | null,
  outcome: PaymentOutcome,
): InvoiceRecord {
  const { invoice, intent } = paymentOf(context, given);
  if (intent.status === 'succeeded') return invoice;
  if (intent.status === 'processing' && outcome !== 'processing') {
    endProcessing(context, intent, outcome === 'succeeded');
    return invoice;
  }
  const types = method?.type === undefined ? intent.payment_method_types : [method.type];
  const { email, name } = getRecord(context, 'customer', invoice.customer);
  const wanted = { ...intent, payment_method_types: types };
  chargePayment(context, wanted, method, { email, name }, outcome);
  return invoice;
}

export interface InvoicePayment {
  /** Null: paid without one. */
  method?: PaymentMethodRecord | null;
  /** Paid outside of Stripe. */
  isOutOfBand?: boolean;
}

export function payInvoice(
  context: Context,
  invoice: InvoiceRecord,
  { method = null, isOutOfBand = false }: InvoicePayment = {},
): InvoiceRecord {
  const isCharged = invoice.total > 0 && !isOutOfBand;
  return markPaid(context, isCharged ? charge(context, invoice, method, 'succeeded') : invoice);
}

/** After its payment has succeeded, or without one. */
export function markPaid(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  const paid = save(context, {
    ...invoice,
    status: 'paid',
    next_payment_attempt: null,
    attempt_count: invoice.attempt_count + 1,
    status_transitions: { ...invoice.status_transitions, paid_at: context.now },
  });
  const shown = showInvoice(context, paid);
  emitEvent(context, 'invoice.paid', shown);
  emitEvent(context, 'invoice.payment_succeeded', shown);
  const intent =
    paid.payment_intent === undefined ? undefined : getRecord(context, 'payment_intent', paid.payment_intent);
  if (intent?.status === 'succeeded') {
    emitEvent(context, 'invoice_payment.paid', showInvoicePayment(context, intent, paid));
  }
  return paid;
}

/** @param nextAttempt in Unix seconds; null: Stripe has given up */
export function failInvoice(
  context: Context,
  invoice: InvoiceRecord,
  nextAttempt: number | null = null,
  method: PaymentMethodRecord | null = null,
): InvoiceRecord {
  const charged = invoice.total > 0 ? charge(context, invoice, method, 'failed') : invoice;
  return markFailed(context, charged, nextAttempt);
}

/** After its payment has failed. */
export function markFailed(
  context: Context,
  invoice: InvoiceRecord,
  nextAttempt: number | null,
): InvoiceRecord {
  const attempt_count = invoice.attempt_count + 1;
  const failed = save(context, { ...invoice, attempt_count, next_payment_attempt: nextAttempt });
  emitEvent(context, 'invoice.payment_failed', showInvoice(context, failed));
  return failed;
}

/** Charges a bank account: the invoice stays open until the bank answers. */
export function awaitPayment(
  context: Context,
  invoice: InvoiceRecord,
  method: PaymentMethodRecord,
): InvoiceRecord {
  return charge(context, invoice, method, 'processing');
}

/** Ends an invoice that is not to be paid, as `pause_collection` does. */
export function closeInvoice(
  context: Context,
  invoice: InvoiceRecord,
  status: 'uncollectible' | 'void',
): InvoiceRecord {
  const field = status === 'void' ? 'voided_at' : 'marked_uncollectible_at';
  const status_transitions = { ...invoice.status_transitions, [field]: context.now };
  const closed = save(context, { ...invoice, status, status_transitions, next_payment_attempt: null });
  const type = status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  emitEvent(context, type, showInvoice(context, closed));
  if (status === 'void' && closed.payment_intent !== undefined) {
    cancelPayment(context, getRecord(context, 'payment_intent', closed.payment_intent), 'void_invoice');
  }
  return closed;
}

function save(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  context.emulator.objects.update(context.scope, 'invoice', invoice, attributesOf(invoice));
  return invoice;
}
