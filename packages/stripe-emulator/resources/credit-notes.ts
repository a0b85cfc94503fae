// Credit notes of paid invoices: https://docs.stripe.com/api/credit_notes. They refund the invoice's payment, or say that the money was
// given back elsewhere.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, resourceMissing } from '../core/stripe-error.ts';
import type { CreditNoteLine, CreditNoteRecord } from '../store/payment-records.ts';
import type { InvoiceRecord } from '../store/records.ts';
import { showCreditNote } from './credit-note-record.ts';
import { emitEvent } from './emit-event.ts';
import { attributesOf, showInvoice } from './invoice-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { refundCharge } from './refunds.ts';
import { atTestClock } from './test-clock-record.ts';

const reasons = ['duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory'] as const;

export function createCreditNote(outer: Context, params: Params): Stripe.CreditNote {
  const invoice = getRecord(outer, 'invoice', params.requiredText('invoice'), 'invoice');
  const context = atTestClock(outer, getRecord(outer, 'customer', invoice.customer));
  if (invoice.status !== 'paid') {
    throw invalidRequest('This emulator has credit notes of paid invoices only.', { param: 'invoice' });
  }
  params.accept('effective_at', 'email_type');
  const lines = readLines(params, invoice);
  const amount = lines.reduce((sum, line) => sum + line.amount, 0);
  const { credited = 0 } = invoice;
  if (credited + amount > invoice.total) {
    throw invalidRequest(
      `The credit note amount (${amount}) is greater than what is left of the invoice (${invoice.total - credited}).`,
      { param: params.has('lines') ? 'lines' : 'amount' },
    );
  }
  const { refundAmount, outOfBand } = readReturns(params, amount);
  const metadata = params.metadata();
  const notes = context.emulator.objects.count(context.scope, 'credit_note', { keys: [invoice.id] });
  const record: CreditNoteRecord = {
    id: newId('cn', 24),
    created: context.now,
    amount,
    currency: invoice.currency,
    customer: invoice.customer,
    invoice: invoice.id,
    lines,
    memo: params.text('memo') ?? null,
    metadata,
    number: `${invoice.number}-CN-${String(notes + 1).padStart(2, '0')}`,
    out_of_band_amount: outOfBand || null,
    reason: params.choice('reason', reasons) ?? null,
    refunds: refundAmount === 0 ? [] : [refundOf(context, invoice, refundAmount)],
  };
  const { objects } = context.emulator;
  objects.insert(context.scope, 'credit_note', record, { parent: invoice.customer, key: invoice.id });
  const changed: InvoiceRecord = { ...invoice, credited: credited + amount };
  objects.update(context.scope, 'invoice', changed, attributesOf(changed));
  const shown = showCreditNote(context, record);
  emitEvent(context, 'credit_note.created', shown);
  emitEvent(context, 'invoice.updated', showInvoice(context, changed), {
    post_payment_credit_notes_amount: credited,
  });
  return shown;
}

/** The amount must be given back in full; by default, by a refund. */
function readReturns(params: Params, amount: number): { refundAmount: number; outOfBand: number } {
  const outOfBand = params.integer('out_of_band_amount', { min: 0 }) ?? 0;
  const refundAmount = params.integer('refund_amount', { min: 0 }) ?? 0;
  if (params.has('credit_amount') || params.has('refunds')) {
    const param = params.has('refunds') ? 'refunds' : 'credit_amount';
    throw invalidRequest('This emulator has no customer balances, and makes the refund itself.', { param });
  }
  if (refundAmount + outOfBand === amount) return { refundAmount, outOfBand };
  throw invalidRequest(
    `The sum of credit amount, refund amount and out of band amount (${refundAmount + outOfBand}) must equal the ` +
      `credit note amount (${amount}).`,
    { param: 'refund_amount' },
  );
}

function refundOf(context: Context, invoice: InvoiceRecord, amount: number): { id: string; amount: number } {
  const intent =
    invoice.payment_intent === undefined
      ? undefined
      : getRecord(context, 'payment_intent', invoice.payment_intent);
  if (intent?.status !== 'succeeded' || intent.latest_charge === null) {
    throw invalidRequest('This invoice has no payment that can be refunded.', { param: 'refund_amount' });
  }
  const charge = getRecord(context, 'charge', intent.latest_charge);
  const { id } = refundCharge(context, charge, { amount, metadata: {}, reason: null });
  return { id, amount };
}

function readLines(params: Params, invoice: InvoiceRecord): CreditNoteLine[] {
  const amount = params.integer('amount', { min: 1 });
  const entries = params.objects('lines');
  if (amount !== undefined && entries !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: amount, lines.', { param: 'lines' });
  }
  if (amount !== undefined) return [newLine({ amount, description: 'Credit', unit_amount: amount })];
  if (entries === undefined || entries.length === 0) throw parameterMissing('amount');
  return entries.map((entry) => readLine(entry, invoice));
}

/** A line of the invoice, in part or whole; or one of its own. */
function readLine(entry: Params, invoice: InvoiceRecord): CreditNoteLine {
  entry.requiredText('type');
  entry.accept('tax_amounts', 'tax_rates', 'metadata', 'unit_amount_decimal');
  const quantity = entry.integer('quantity', { min: 1 }) ?? null;
  const description = entry.text('description');
  if (entry.choice('type', ['custom_line_item', 'invoice_line_item']) === 'custom_line_item') {
    const unit = entry.requiredInteger('unit_amount');
    const amount = unit * (quantity ?? 1);
    return newLine({ amount, description: description ?? 'Credit', quantity, unit_amount: unit });
  }
  const param = entry.nameOf('invoice_line_item');
  const id = entry.requiredText('invoice_line_item');
  const line = invoice.lines.find((each) => each.id === id);
  if (line === undefined) throw resourceMissing('invoice_line_item', id, param);
  const share = quantity === null ? 1 : quantity / Math.max(1, line.quantity ?? 1);
  const amount = entry.integer('amount', { min: 1 }) ?? Math.round(line.amount * share);
  return newLine({ amount, description: description ?? line.description, invoice_line_item: id, quantity });
}

function newLine(
  fields: Pick<CreditNoteLine, 'amount' | 'description'> & Partial<CreditNoteLine>,
): CreditNoteLine {
  return { id: newId('cnli', 24), invoice_line_item: null, quantity: null, unit_amount: null, ...fields };
}

export function updateCreditNote(context: Context, params: Params, id: string): Stripe.CreditNote {
  const record = getRecord(context, 'credit_note', id);
  const memo = params.emptyable('memo');
  const changed: CreditNoteRecord = {
    ...record,
    ...(memo === undefined ? {} : { memo }),
    metadata: params.metadata(record.metadata),
  };
  const attributes = { parent: record.customer, key: record.invoice };
  context.emulator.objects.update(context.scope, 'credit_note', changed, attributes);
  const shown = showCreditNote(context, changed);
  emitEvent(context, 'credit_note.updated', shown);
  return shown;
}

export function listCreditNotes(context: Context, params: Params): List<Stripe.CreditNote> {
  const invoice = params.text('invoice');
  params.accept('customer_account');
  return listPage(context, params, {
    kind: 'credit_note',
    url: '/v1/credit_notes',
    filters: {
      created: readCreated(params),
      parent: params.text('customer'),
      keys: invoice === undefined ? undefined : [invoice],
    },
    show: (record) => showCreditNote(context, record),
  });
}
