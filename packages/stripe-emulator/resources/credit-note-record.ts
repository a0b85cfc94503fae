// Rendered form of a credit note: https://docs.stripe.com/api/credit_notes/object.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import type { CreditNoteLine, CreditNoteRecord } from '../store/payment-records.ts';
import { innerList } from './list-page.ts';

export function showCreditNote(context: Context, record: CreditNoteRecord): Stripe.CreditNote {
  const { amount, id, lines, refunds, ...same } = record;
  const shown = {
    ...same,
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: record.created,
    lines: innerList(
      `/v1/credit_notes/${id}/lines`,
      lines.map((line) => showLine(context, line)),
    ),
    livemode: context.livemode,
    pdf: `${context.emulator.origin()}/credit_notes/${id}`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    refunds: refunds.map((refund) => ({
      amount_refunded: refund.amount,
      payment_record_refund: null,
      refund: refund.id,
      type: 'refund',
    })),
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  };
  return shown as unknown as Stripe.CreditNote;
}

function showLine(context: Context, { invoice_line_item, unit_amount, ...same }: CreditNoteLine) {
  return {
    ...same,
    object: 'credit_note_line_item',
    discount_amount: 0,
    discount_amounts: [],
    ...(invoice_line_item === null ? {} : { invoice_line_item }),
    livemode: context.livemode,
    metadata: {},
    pretax_credit_amounts: [],
    tax_rates: [],
    taxes: [],
    type: invoice_line_item === null ? 'custom_line_item' : 'invoice_line_item',
    unit_amount,
    unit_amount_decimal: unit_amount === null ? null : String(unit_amount),
  };
}
