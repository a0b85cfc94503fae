// Refunds: https://docs.stripe.com/api/refunds.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, type StripeError } from '../core/stripe-error.ts';
import type { ChargeRecord, RefundRecord } from '../store/payment-records.ts';
import { saveCharge } from './charge-record.ts';
import { getRecord, type List, listPage, readCreated } from './list-page.ts';
import { addRefund, saveRefund, showRefund } from './refund-record.ts';

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export function createRefund(context: Context, params: Params): Stripe.Refund {
  params.accept('instructions_email', 'refund_application_fee', 'reverse_transfer');
  const charge = readCharge(context, params);
  const amount = params.integer('amount', { min: 1 });
  const reason = params.choice('reason', reasons) ?? null;
  return showRefund(context, refundCharge(context, charge, { amount, reason, metadata: params.metadata() }));
}

function readCharge(context: Context, params: Params): ChargeRecord {
  const chargeId = params.text('charge');
  const intentId = params.text('payment_intent');
  if (chargeId !== undefined) return getRecord(context, 'charge', chargeId, 'charge');
  if (intentId === undefined) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  const intent = getRecord(context, 'payment_intent', intentId, 'payment_intent');
  if (intent.latest_charge !== null && intent.status === 'succeeded') {
    return getRecord(context, 'charge', intent.latest_charge);
  }
  throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  });
}

export type RefundFields = Pick<RefundRecord, 'metadata' | 'reason'> & {
  /** Default: what is left of the charge. */
  amount?: number;
};

/**
 * Refunds a card at once. A bank debit's refund is pending until the control API settles it.
 *
 * @throws {StripeError} 400 if the charge has failed, is refunded or disputed, or less is left of it
 */
export function refundCharge(
  context: Context,
  charge: ChargeRecord,
  { amount: wanted, metadata, reason }: RefundFields,
): RefundRecord {
  const left = charge.amount - charge.amount_refunded;
  if (charge.status !== 'succeeded') {
    throw invalidRequest(`Charge ${charge.id} has not succeeded; only successful charges can be refunded.`);
  }
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  if (isChargedBack(context, charge)) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const amount = wanted ?? left;
  if (amount > left) throw tooMuch(charge, amount, left);
  const refund = addRefund(context, charge, { amount, metadata, reason });
  const amount_refunded = charge.amount_refunded + amount;
  saveCharge(context, { ...charge, amount_refunded }, 'charge.refunded', true);
  // The bank's reference of a card's refund comes with a later event.
  return refund.status === 'succeeded' ? saveRefund(context, { ...refund, reference: reference() }) : refund;
}

/** A dispute that was won leaves the charge refundable. */
function isChargedBack(context: Context, { dispute: id }: ChargeRecord): boolean {
  return id !== null && getRecord(context, 'dispute', id).status !== 'won';
}

function tooMuch({ currency }: ChargeRecord, amount: number, left: number): StripeError {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  const show = (minor: number) => format.format(minor / 10 ** digits);
  return invalidRequest(
    `Refund amount (${show(amount)}) is greater than unrefunded amount on charge (${show(left)})`,
    { param: 'amount' },
  );
}

function reference(): string {
  return newId('x', 23).slice(2).replaceAll(/\D/g, '7');
}

/** The bank answers a refund that is pending, or returns one that had succeeded. */
export function settleRefund(context: Context, record: RefundRecord, isPaid: boolean): RefundRecord {
  if (record.status === 'failed' || (isPaid && record.status === 'succeeded')) {
    throw invalidRequest(`The refund ${record.id} is ${record.status} already.`);
  }
  if (isPaid) return saveRefund(context, { ...record, status: 'succeeded', reference: reference() });
  const failed = saveRefund(
    context,
    { ...record, status: 'failed', failure_reason: 'lost_or_stolen_card' },
    'refund.failed',
  );
  const charge = getRecord(context, 'charge', record.charge);
  const amount_refunded = charge.amount_refunded - record.amount;
  saveCharge(context, { ...charge, amount_refunded }, 'charge.updated', true);
  return failed;
}

export function updateRefund(context: Context, params: Params, id: string): Stripe.Refund {
  const record = getRecord(context, 'refund', id);
  return showRefund(context, saveRefund(context, { ...record, metadata: params.metadata(record.metadata) }));
}

export function listRefunds(context: Context, params: Params): List<Stripe.Refund> {
  const intent = params.text('payment_intent');
  return listPage(context, params, {
    kind: 'refund',
    url: '/v1/refunds',
    filters: {
      created: readCreated(params),
      parent: params.text('charge'),
      keys: intent === undefined ? undefined : [intent],
    },
    show: (record) => showRefund(context, record),
  });
}
