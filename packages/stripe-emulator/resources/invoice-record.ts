// Stored and rendered form of an invoice: https://docs.stripe.com/api/invoices/object. Without tax and proration.
import Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { InvoiceLineRecord, InvoiceRecord } from '../store/records.ts';
import { sumOf, totalsByDiscount } from './apply-discounts.ts';
import { getRecord, innerList } from './list-page.ts';

/** A draft is due when Stripe finalizes it; on a test clock, when that clock advances. */
export function attributesOf(record: InvoiceRecord) {
  const { automatically_finalizes_at: at = null, customer, status, test_clock } = record;
  return { parent: customer, status, due: status === 'draft' && !test_clock ? at : null };
}

export function showInvoice(context: Context, record: InvoiceRecord): Stripe.Invoice {
  const { account, livemode, emulator, scope } = context;
  const customer = emulator.objects.find(scope, 'customer', record.customer);
  const isPaid = record.status === 'paid';
  const { subscription } = record;
  const isTaxAutomatic =
    subscription !== null && emulator.objects.find(scope, 'subscription', subscription)?.automatic_tax;
  const subtotal = record.lines.reduce((sum, line) => sum + line.amount, 0);
  const { credited = 0, days_until_due, discounts = [], payment_intent, ...same } = record;
  const amountsOff = record.lines.map(({ discount_amounts = [] }) => discount_amounts);
  const page = `${emulator.origin()}/invoices/${record.id}`;
  return {
    ...same,
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
    auto_advance: record.auto_advance ?? record.status === 'open',
    automatic_tax: isTaxAutomatic
      ? {
          disabled_reason: null,
          enabled: true,
          liability: { type: 'self' },
          provider: 'stripe',
          status: 'complete',
        }
      : { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: record.automatically_finalizes_at ?? null,
    custom_fields: null,
    customer_account: null,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: record.default_payment_method ?? null,
    default_source: null,
    default_tax_rates: [],
    description: record.description ?? null,
    discounts,
    due_date: record.due_date ?? null,
    effective_at: record.status_transitions.finalized_at,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: record.status === 'draft' ? null : page,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: innerList(
      `/v1/invoices/${record.id}/lines`,
      record.lines.map((line) => showLine(context, record, line)),
    ),
    livemode,
    metadata: record.metadata ?? {},
    next_payment_attempt: record.next_payment_attempt ?? null,
    number: record.status === 'draft' ? null : record.number,
    on_behalf_of: null,
    parent:
      subscription === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: {}, subscription },
            type: 'subscription_details',
          },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    post_payment_credit_notes_amount: credited,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    // Missing in the SDK's type, present in Stripe's published objects.
    ...{ subscription },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: customer?.test_clock ?? null,
    total_discount_amounts: totalsByDiscount(amountsOff, discounts),
    total_excluding_tax: record.total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

/** A line of the invoice. */
export function showLine(
  context: Context,
  invoice: InvoiceRecord,
  line: InvoiceLineRecord,
): Stripe.InvoiceLineItem {
  const price = line.price === null ? null : getRecord(context, 'price', line.price);
  const unitAmount = price === null ? String(line.amount) : price.unit_amount_decimal;
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: invoice.currency,
    description: line.description,
    discount_amounts: line.discount_amounts ?? [],
    discountable: line.discountable ?? true,
    discounts: [],
    invoice: invoice.id,
    livemode: context.livemode,
    metadata: line.metadata ?? {},
    parent: parentOf(invoice, line),
    period: line.period ?? { end: invoice.period_end, start: invoice.period_start },
    pretax_credit_amounts: [],
    pricing:
      price === null
        ? null
        : {
            price_details: { price: price.id, product: price.product },
            type: 'price_details',
            unit_amount_decimal: unitAmount === null ? null : Stripe.Decimal.from(unitAmount),
          },
    quantity: line.quantity,
    quantity_decimal: line.quantity === null ? null : Stripe.Decimal.from(line.quantity),
    subscription: line.subscription_item === null ? null : invoice.subscription,
    subtotal: line.amount,
    taxes: [],
  };
}

function parentOf(invoice: InvoiceRecord, line: InvoiceLineRecord): Stripe.InvoiceLineItem.Parent | null {
  const { invoice_item, subscription_item } = line;
  const proration = { proration: false, proration_details: { credited_items: null } };
  if (subscription_item !== null) {
    return {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        ...proration,
        subscription: invoice.subscription,
        subscription_item,
      },
      type: 'subscription_item_details',
    };
  }
  if (invoice_item === undefined) return null;
  return {
    invoice_item_details: { invoice_item, ...proration, subscription: null },
    subscription_item_details: null,
    type: 'invoice_item_details',
  };
}

/** What is left after discounts, in minor units. */
export function totalOf(lines: readonly InvoiceLineRecord[]): number {
  return lines.reduce((sum, { amount, discount_amounts = [] }) => sum + amount - sumOf(discount_amounts), 0);
}
