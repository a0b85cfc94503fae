// Stored and rendered form of an invoice, and its payment: https://docs.stripe.com/api/invoices/object. Invoices exist for
// subscriptions only, without tax, discounts or proration. A metered price is billed from its meter's events.
import Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type {
  InvoiceLineRecord,
  InvoiceRecord,
  SubscriptionItemRecord,
  SubscriptionRecord,
} from '../store/records.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord, innerList } from './list-page.ts';
import { meteredUnits } from './meter-usage.ts';
import { priceOfUnits } from './price-of-units.ts';

interface InvoiceOptions {
  /** The period of the billed usage, in Unix seconds; null for no usage. */
  used?: { from: number; to: number } | null;
  /** The billed items; default: all. */
  items?: readonly SubscriptionItemRecord[];
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
  const { objects } = context.emulator;
  const invoice = newInvoice(context, subscription, reason, options);
  objects.insert(context.scope, 'invoice', invoice, attributesOf(invoice));
  const { currency } = subscription;
  const customer = getRecord(context, 'customer', subscription.customer);
  const numbered = { ...customer, currency, next_invoice_sequence: customer.next_invoice_sequence + 1 };
  objects.update(context.scope, 'customer', numbered, {
    key: customer.email,
    status: customer.deleted ? 'deleted' : null,
  });
  emitEvent(context, 'invoice.created', showInvoice(context, invoice));
  if (invoice.status === 'open') emitEvent(context, 'invoice.finalized', showInvoice(context, invoice));
  return invoice;
}

/** The invoice, not stored yet. */
export function newInvoice(
  context: Context,
  subscription: SubscriptionRecord,
  reason: InvoiceRecord['billing_reason'],
  { used = null, items = subscription.items, isDraft = false }: InvoiceOptions,
): InvoiceRecord {
  const isTrial = subscription.status === 'trialing';
  const lines = items.flatMap((item): InvoiceLineRecord[] => {
    const price = getRecord(context, 'price', item.price);
    const isMetered = price.recurring?.usage_type === 'metered';
    if (isMetered && used === null) return [];
    const units =
      isMetered && used
        ? meteredUnits(context, price, subscription.customer, used.from, used.to)
        : (item.quantity ?? 1);
    const { name } = getRecord(context, 'product', price.product);
    return [
      {
        id: newId('il', 24),
        amount: isTrial ? 0 : priceOfUnits(price, units),
        description: isTrial ? `Trial period for ${name}` : `${units} × ${name}`,
        price: price.id,
        quantity: units,
        subscription_item: item.id,
      },
    ];
  });
  const customer = getRecord(context, 'customer', subscription.customer);
  return {
    id: newId('in', 24),
    created: context.now,
    attempt_count: 0,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    currency: subscription.currency,
    customer: subscription.customer,
    lines,
    number: `${customer.id.slice(-8).toUpperCase()}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
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
    total: lines.reduce((sum, line) => sum + line.amount, 0),
    due_date:
      subscription.collection_method === 'send_invoice'
        ? context.now + (subscription.days_until_due ?? 0) * 86_400
        : null,
  };
}

export function payInvoice(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  const paid: InvoiceRecord = {
    ...invoice,
    status: 'paid',
    next_payment_attempt: null,
    attempt_count: invoice.attempt_count + 1,
    status_transitions: { ...invoice.status_transitions, paid_at: context.now },
  };
  context.emulator.objects.update(context.scope, 'invoice', paid, attributesOf(paid));
  const shown = showInvoice(context, paid);
  emitEvent(context, 'invoice.paid', shown);
  emitEvent(context, 'invoice.payment_succeeded', shown);
  return paid;
}

/** @param nextAttempt in Unix seconds; null: Stripe has given up */
export function failInvoice(
  context: Context,
  invoice: InvoiceRecord,
  nextAttempt: number | null = null,
): InvoiceRecord {
  const attempt_count = invoice.attempt_count + 1;
  const failed = { ...invoice, attempt_count, next_payment_attempt: nextAttempt };
  context.emulator.objects.update(context.scope, 'invoice', failed, attributesOf(failed));
  emitEvent(context, 'invoice.payment_failed', showInvoice(context, failed));
  return failed;
}

/** Ends an invoice that is not to be paid, as `pause_collection` does. */
export function closeInvoice(
  context: Context,
  invoice: InvoiceRecord,
  status: 'uncollectible' | 'void',
): InvoiceRecord {
  const field = status === 'void' ? 'voided_at' : 'marked_uncollectible_at';
  const status_transitions = { ...invoice.status_transitions, [field]: context.now };
  const closed = { ...invoice, status, status_transitions, next_payment_attempt: null };
  context.emulator.objects.update(context.scope, 'invoice', closed, attributesOf(closed));
  const type = status === 'void' ? 'invoice.voided' : 'invoice.marked_uncollectible';
  emitEvent(context, type, showInvoice(context, closed));
  return closed;
}

export function attributesOf({ customer, status }: InvoiceRecord) {
  return { parent: customer, status };
}

export function showInvoice(context: Context, record: InvoiceRecord): Stripe.Invoice {
  const { account, livemode, emulator, scope } = context;
  const customer = emulator.objects.find(scope, 'customer', record.customer);
  const isPaid = record.status === 'paid';
  const isTaxAutomatic = emulator.objects.find(scope, 'subscription', record.subscription)?.automatic_tax;
  const page = `${emulator.origin()}/invoices/${record.id}`;
  return {
    ...record,
    object: 'invoice',
    account_country: account.country,
    account_name: account.name,
    account_tax_ids: null,
    amount_due: record.total,
    amount_overpaid: 0,
    amount_paid: isPaid ? record.total : 0,
    amount_remaining: isPaid ? 0 : record.total,
    amount_shipping: 0,
    application: null,
    attempted: record.attempt_count > 0,
    auto_advance: record.status === 'open',
    automatic_tax: isTaxAutomatic
      ? {
          disabled_reason: null,
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: 'complete',
        }
      : { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    custom_fields: null,
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: record.due_date ?? null,
    effective_at: record.status_transitions.finalized_at,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: page,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: innerList(
      `/v1/invoices/${record.id}/lines`,
      record.lines.map((line) => showLine(context, record, line)),
    ),
    livemode,
    metadata: {},
    next_payment_attempt: record.next_payment_attempt ?? null,
    number: record.status === 'draft' ? null : record.number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: record.subscription },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    // Missing in the SDK's type, present in Stripe's published objects.
    ...{ subscription: record.subscription },
    subtotal: record.total,
    subtotal_excluding_tax: record.total,
    test_clock: customer?.test_clock ?? null,
    total_discount_amounts: [],
    total_excluding_tax: record.total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

function showLine(context: Context, invoice: InvoiceRecord, line: InvoiceLineRecord): Stripe.InvoiceLineItem {
  const price = getRecord(context, 'price', line.price);
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: invoice.currency,
    description: line.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: invoice.id,
    livemode: context.livemode,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: invoice.subscription,
        subscription_item: line.subscription_item,
      },
      type: 'subscription_item_details',
    },
    period: { end: invoice.period_end, start: invoice.period_start },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal:
        price.unit_amount_decimal === null ? null : Stripe.Decimal.from(price.unit_amount_decimal),
    },
    quantity: line.quantity,
    quantity_decimal: line.quantity === null ? null : Stripe.Decimal.from(line.quantity),
    subscription: invoice.subscription,
    subtotal: line.amount,
    taxes: [],
  };
}
