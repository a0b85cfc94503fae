// Invoices without a subscription: https://docs.stripe.com/api/invoices/create. A draft is edited, then finalized, by a call or after
// an hour.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { InvoiceRecord } from '../store/records.ts';
import { outcomeOf } from './charge-payment.ts';
import { getCustomer } from './customer-record.ts';
import { discountsAt, giveDiscounts, readDiscounts } from './discount-record.ts';
import { emitEvent } from './emit-event.ts';
import {
  addInvoice,
  awaitPayment,
  failInvoice,
  finalizeInvoice,
  numberOf,
  payInvoice,
} from './invoice-changes.ts';
import { discountLines, lineOfInvoiceItem } from './invoice-lines.ts';
import { attributesOf, showInvoice, totalOf } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { omitUndefined } from './omit-undefined.ts';
import { ensureOwnCard, methodOf } from './payment-methods.ts';
import { atTestClock } from './test-clock-record.ts';

const hour = 3600;

/** Parameters that Stripe supports and the emulator ignores. */
const ignored: (keyof Stripe.InvoiceCreateParams)[] = [
  ...(['account_tax_ids', 'application_fee_amount', 'automatic_tax', 'automatically_finalizes_at'] as const),
  ...(['custom_fields', 'customer_account', 'default_source', 'default_tax_rates'] as const),
  ...(['effective_at', 'footer', 'from_invoice', 'issuer', 'number', 'on_behalf_of'] as const),
  ...(['payment_settings', 'rendering', 'shipping_cost', 'shipping_details'] as const),
  ...(['statement_descriptor', 'transfer_data'] as const),
];

export function createOneOffInvoice(outer: Context, params: Params): Stripe.Invoice {
  const customerId = params.text('customer');
  if (customerId === undefined) throw parameterMissing('customer');
  const customer = getCustomer(outer, customerId);
  const context = atTestClock(outer, customer);
  if (params.has('subscription')) {
    throw invalidRequest('This emulator creates invoices of subscriptions by itself.', {
      param: 'subscription',
    });
  }
  params.accept(...ignored);
  const behaviour = params.choice('pending_invoice_items_behavior', ['exclude', 'include']) ?? 'exclude';
  const pending = behaviour === 'include' ? pendingItems(context, customer.id) : [];
  const currency =
    params.currency('currency') ?? pending[0]?.currency ?? customer.currency ?? context.account.currency;
  const collection =
    params.choice('collection_method', ['charge_automatically', 'send_invoice']) ?? 'charge_automatically';
  const daysUntilDue = params.integer('days_until_due', { min: 0 }) ?? null;
  const dueDate = params.integer('due_date') ?? null;
  if (collection === 'send_invoice' && daysUntilDue === null && dueDate === null) {
    throw invalidRequest(
      'If invoice.collection_method=send_invoice, you must specify one of due_date or days_until_due.',
      { param: 'due_date' },
    );
  }
  const isAdvancing = params.boolean('auto_advance') ?? false;
  const record: InvoiceRecord = {
    id: newId('in', 24),
    created: context.now,
    attempt_count: 0,
    auto_advance: isAdvancing,
    automatically_finalizes_at: isAdvancing ? context.now + hour : null,
    ...(customer.test_clock ? { test_clock: customer.test_clock } : {}),
    billing_reason: 'manual',
    collection_method: collection,
    currency,
    customer: customer.id,
    days_until_due: daysUntilDue,
    default_payment_method: readCard(context, params, customer.id) ?? null,
    description: params.text('description') ?? null,
    due_date: dueDate,
    lines: [],
    metadata: params.metadata(),
    number: numberOf(customer),
    period_end: context.now,
    period_start: context.now,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subscription: null,
    total: 0,
  };
  const redemption = { customer: customer.id, currency, amount: sumOf(pending) };
  const wanted = readDiscounts(context, params, redemption);
  const invoice =
    wanted === undefined
      ? record
      : {
          ...record,
          discounts: giveDiscounts(context, wanted, { customer: customer.id, invoice: record.id }),
        };
  for (const item of pending.filter((each) => each.currency === currency)) {
    const taken = { ...item, invoice: record.id };
    context.emulator.objects.update(context.scope, 'invoiceitem', taken, {
      parent: customer.id,
      key: record.id,
    });
  }
  return showInvoice(context, addInvoice(context, withLines(context, invoice)));
}

function pendingItems(context: Context, parent: string) {
  return context.emulator.objects.all(context.scope, 'invoiceitem', {
    parent,
    fields: [['$.invoice', null]],
  });
}

function sumOf(items: readonly { amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0);
}

function readCard(context: Context, params: Params, customer: string): string | null | undefined {
  const id = params.emptyable('default_payment_method');
  if (id) ensureOwnCard(context, customer, id, 'default_payment_method');
  return id;
}

/** The draft with the lines of its invoice items, oldest first. */
function withLines(context: Context, invoice: InvoiceRecord): InvoiceRecord {
  const items = context.emulator.objects.all(context.scope, 'invoiceitem', { keys: [invoice.id] }).reverse();
  const kept = new Map(invoice.lines.map((line) => [line.invoice_item, line]));
  const own = items.map((item) => kept.get(item.id) ?? lineOfInvoiceItem(context, item));
  const currency = items[0]?.currency ?? invoice.currency;
  const discounts = discountsAt(context, invoice.discounts ?? [], context.now);
  const lines = discountLines(context, own, discounts, currency);
  return { ...invoice, currency, lines, total: totalOf(lines) };
}

/** After its items have changed. */
export function relineInvoice(context: Context, invoice: InvoiceRecord): void {
  save(context, withLines(context, invoice));
}

/** A draft. @throws {StripeError} 400 if it is finalized */
export function readInvoice(context: Context, id: string, param: string): InvoiceRecord {
  const invoice = getRecord(context, 'invoice', id, param);
  if (invoice.status === 'draft') return invoice;
  throw invalidRequest('This invoice is no longer editable.', { code: 'invoice_not_editable', param });
}

export function updateInvoice(outer: Context, params: Params, id: string): Stripe.Invoice {
  const given = getRecord(outer, 'invoice', id);
  const context = atTestClock(outer, getRecord(outer, 'customer', given.customer));
  const metadata = params.metadata(given.metadata);
  const isAdvancing = params.boolean('auto_advance');
  const isEdited = params.has('description') || params.has('discounts') || params.has('days_until_due');
  if (isEdited) readInvoice(context, id, 'id');
  params.accept(...ignored, 'collection_method');
  const amount = sumOf(given.lines);
  const redemption = { customer: given.customer, currency: given.currency, amount };
  const wanted = readDiscounts(context, params, redemption, given.discounts);
  const finalizesAt = given.status === 'draft' && isAdvancing ? context.now + hour : null;
  const changed: InvoiceRecord = {
    ...given,
    metadata,
    ...omitUndefined({
      description: params.emptyable('description'),
      days_until_due: params.integer('days_until_due', { min: 0 }),
      due_date: params.integer('due_date'),
      default_payment_method: readCard(context, params, given.customer),
    }),
    ...(isAdvancing === undefined
      ? {}
      : { auto_advance: isAdvancing, automatically_finalizes_at: finalizesAt }),
    ...(wanted === undefined
      ? {}
      : { discounts: giveDiscounts(context, wanted, { customer: given.customer, invoice: id }) }),
  };
  const saved = save(context, wanted === undefined ? changed : withLines(context, changed));
  return showInvoice(context, saved);
}

export function deleteDraft(context: Context, id: string): Stripe.DeletedInvoice {
  const invoice = readInvoice(context, id, 'id');
  if (invoice.subscription !== null) {
    throw invalidRequest('You can only delete draft invoices that are not of a subscription.');
  }
  const { objects } = context.emulator;
  for (const item of objects.all(context.scope, 'invoiceitem', { keys: [id] })) {
    objects.remove(context.scope, 'invoiceitem', item.id);
  }
  objects.remove(context.scope, 'invoice', id);
  emitEvent(context, 'invoice.deleted', showInvoice(context, invoice));
  return { id, object: 'invoice', deleted: true };
}

export function sendById(outer: Context, id: string): Stripe.Invoice {
  const given = getRecord(outer, 'invoice', id);
  const context = atTestClock(outer, getRecord(outer, 'customer', given.customer));
  if (given.collection_method !== 'send_invoice') {
    throw invalidRequest("You can only manually send an invoice if its collection method is 'send_invoice'.");
  }
  const invoice = given.status === 'draft' ? finalizeInvoice(context, given) : given;
  const shown = showInvoice(context, invoice);
  emitEvent(context, 'invoice.sent', shown);
  return shown;
}

/** A draft that Stripe finalizes by itself: it is charged, or sent. */
export function advanceInvoice(context: Context, draft: InvoiceRecord): void {
  const invoice = finalizeInvoice(context, draft);
  if (invoice.total <= 0) {
    payInvoice(context, invoice);
    return;
  }
  if (invoice.collection_method === 'send_invoice') {
    emitEvent(context, 'invoice.sent', showInvoice(context, invoice));
    return;
  }
  const own = invoice.default_payment_method ?? null;
  const method = methodOf(context, { customer: invoice.customer, default_payment_method: own });
  const outcome = method === null ? 'failed' : outcomeOf(method);
  if (outcome === 'succeeded') payInvoice(context, invoice, { method });
  else if (method !== null && outcome === 'processing') awaitPayment(context, invoice, method);
  else failInvoice(context, invoice, null, method);
}

function save(context: Context, changed: InvoiceRecord): InvoiceRecord {
  context.emulator.objects.update(context.scope, 'invoice', changed, attributesOf(changed));
  emitEvent(context, 'invoice.updated', showInvoice(context, changed));
  return changed;
}
