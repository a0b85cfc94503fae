// Stored and rendered form of a dispute, and what banks do with it: https://docs.stripe.com/api/disputes/object.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import type { ChargeRecord, DisputeRecord } from '../store/payment-records.ts';
import { attributesOf as chargeAttributes } from './charge-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

const day = 86_400;
/** The bank's fee, in minor units. */
const fee = 1500;

export const disputeReasons = ['fraudulent', 'duplicate', 'product_not_received', 'general'] as const;

export type DisputeReason = (typeof disputeReasons)[number];

/**
 * Opens a dispute for what is left of a charge, and withdraws the money.
 *
 * @throws {StripeError} 400 unless the charge has succeeded and is neither refunded nor disputed
 */
export function openDispute(
  context: Context,
  charge: ChargeRecord,
  reason: DisputeReason = 'fraudulent',
): DisputeRecord {
  if (charge.status !== 'succeeded') throw invalidRequest(`Charge ${charge.id} has not succeeded.`);
  if (charge.dispute !== null) throw invalidRequest(`Charge ${charge.id} is disputed already.`);
  const amount = charge.amount - charge.amount_refunded;
  if (amount === 0) throw invalidRequest(`Charge ${charge.id} has been refunded: nothing can be disputed.`);
  const record: DisputeRecord = {
    id: newId('du', 24),
    created: context.now,
    amount,
    charge: charge.id,
    currency: charge.currency,
    evidence: null,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response',
    transactions: [],
  };
  const { objects } = context.emulator;
  objects.insert(context.scope, 'dispute', record, attributesOf(record));
  const disputed = { ...charge, dispute: record.id };
  objects.update(context.scope, 'charge', disputed, chargeAttributes(disputed));
  emitEvent(context, 'charge.dispute.created', showDispute(context, record));
  return move(context, record, -amount, 'charge.dispute.funds_withdrawn');
}

/** Closes an open dispute. Won: the money comes back. @throws {StripeError} 400 if it is closed */
export function closeDispute(context: Context, record: DisputeRecord, status: 'lost' | 'won'): DisputeRecord {
  if (record.status === 'lost' || record.status === 'won') {
    throw invalidRequest('This dispute is already closed.');
  }
  const closed = saveDispute(context, { ...record, status }, 'charge.dispute.closed');
  return status === 'won' ? move(context, closed, record.amount, 'charge.dispute.funds_reinstated') : closed;
}

function move(
  context: Context,
  record: DisputeRecord,
  amount: number,
  type: Stripe.Event.Type,
): DisputeRecord {
  const moved = { id: newId('txn', 24), amount, fee: amount < 0 ? fee : 0, created: context.now };
  return saveDispute(context, { ...record, transactions: [...record.transactions, moved] }, type);
}

export function saveDispute(
  context: Context,
  changed: DisputeRecord,
  type: Stripe.Event.Type,
): DisputeRecord {
  context.emulator.objects.update(context.scope, 'dispute', changed, attributesOf(changed));
  emitEvent(context, type, showDispute(context, changed));
  return changed;
}

function attributesOf({ charge, payment_intent, status }: DisputeRecord) {
  return { parent: charge, key: payment_intent, status };
}

export function showDispute(context: Context, record: DisputeRecord): Stripe.Dispute {
  const { evidence, transactions, ...same } = record;
  const isOpen = record.status === 'needs_response';
  const { payment_method: method } = getRecord(context, 'charge', record.charge);
  const brand = method === null ? 'visa' : getRecord(context, 'payment_method', method).brand;
  const shown = {
    ...same,
    object: 'dispute',
    balance_transactions: transactions.map((each) => showTransaction(record, each)),
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence, uncategorized_text: evidence },
    evidence_details: {
      due_by: isOpen ? record.created + 9 * day : null,
      enhanced_eligibility: {},
      has_evidence: evidence !== null,
      past_due: false,
      submission_count: evidence === null ? 0 : 1,
      submission_method: evidence === null ? 'not_submitted' : 'manual',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: context.livemode,
    network_reason_code: '10.4',
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: '10.4' },
      type: 'card',
    },
  };
  return shown as unknown as Stripe.Dispute;
}

function showTransaction(
  { charge, currency, id: source }: DisputeRecord,
  moved: DisputeRecord['transactions'][number],
) {
  const { amount, created, fee: taken, id } = moved;
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency,
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${charge}`,
    exchange_rate: null,
    fee: taken,
    fee_details:
      taken === 0
        ? []
        : [{ amount: taken, application: null, currency, description: 'Dispute fee', type: 'stripe_fee' }],
    net: amount - taken,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source,
    status: 'available',
    type: 'adjustment',
  };
}

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
};
