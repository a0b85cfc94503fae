// Stored and rendered form of a refund: https://docs.stripe.com/api/refunds/object.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { ChargeRecord, RefundRecord } from '../store/payment-records.ts';
import { changedFields } from './changed-fields.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

export function showRefund(context: Context, record: RefundRecord): Stripe.Refund {
  const { failure_reason, reference, ...same } = record;
  const { customer, payment_method } = getRecord(context, 'charge', record.charge);
  const type =
    payment_method === null ? 'card' : (getRecord(context, 'payment_method', payment_method).type ?? 'card');
  const card = {
    ...(reference === null ? {} : { reference }),
    reference_status: reference === null ? 'pending' : 'available',
    reference_type: 'acquirer_reference_number',
    type: 'refund' as const,
  };
  return {
    ...same,
    object: 'refund',
    customer,
    customer_account: null,
    destination_details: type === 'card' ? { card, type } : { [type]: { reference }, type },
    ...(failure_reason === null ? {} : { failure_reason }),
    payment_method,
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
  };
}

export function addRefund(
  context: Context,
  charge: ChargeRecord,
  fields: Pick<RefundRecord, 'amount' | 'metadata' | 'reason'>,
): RefundRecord {
  const method =
    charge.payment_method === null ? null : getRecord(context, 'payment_method', charge.payment_method);
  const record: RefundRecord = {
    id: newId('re', 24),
    created: context.now,
    ...fields,
    balance_transaction: newId('txn', 24),
    charge: charge.id,
    currency: charge.currency,
    failure_reason: null,
    payment_intent: charge.payment_intent,
    reference: null,
    status: method?.type === undefined ? 'succeeded' : 'pending',
  };
  context.emulator.objects.insert(context.scope, 'refund', record, attributesOf(record));
  emitEvent(context, 'refund.created', showRefund(context, record));
  return record;
}

/** Stripe sends each change twice: as `refund.*`, and under the name that it had before. */
export function saveRefund(
  context: Context,
  changed: RefundRecord,
  type: 'refund.failed' | 'refund.updated' = 'refund.updated',
): RefundRecord {
  const shown = showRefund(context, changed);
  const previous = changedFields(showRefund(context, getRecord(context, 'refund', changed.id)), shown);
  context.emulator.objects.update(context.scope, 'refund', changed, attributesOf(changed));
  if (type === 'refund.failed') emitEvent(context, type, shown);
  emitEvent(context, 'refund.updated', shown, previous);
  emitEvent(context, 'charge.refund.updated', shown, previous);
  return changed;
}

function attributesOf({ charge, payment_intent, status }: RefundRecord) {
  return { parent: charge, key: payment_intent, status };
}
