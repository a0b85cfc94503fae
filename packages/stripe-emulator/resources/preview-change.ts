// What a new or changed subscription would cost: https://docs.stripe.com/api/invoices/create_preview. Changes are invoiced at once, as with
// `proration_behavior: always_invoice`. Nothing is stored.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing } from '../core/stripe-error.ts';
import type { InvoiceLineRecord, SubscriptionItemRecord, SubscriptionRecord } from '../store/records.ts';
import { addInterval } from './add-interval.ts';
import { getCustomer } from './customer-record.ts';
import { linesOfItems } from './invoice-lines.ts';
import { showInvoice, totalOf } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { priceOfUnits } from './price-of-units.ts';
import { changeItems, ensureCurrency, readNewItem, refuseMixture } from './subscription-params.ts';
import { endedStatuses, isSameInterval, newSubscriptionRecord } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/** @param details its `subscription_details` */
export function previewChange(outer: Context, params: Params, details: Params): Stripe.Invoice {
  const entries = details.objects('items');
  if (entries === undefined || entries.length === 0) throw parameterMissing(details.nameOf('items'));
  const customer = params.text('customer');
  const id = params.text('subscription');
  if (customer !== undefined) getCustomer(outer, customer);
  const record = id === undefined ? null : getRecord(outer, 'subscription', id, 'subscription');
  const isRecurring = params.choice('preview_mode', ['next', 'recurring']) === 'recurring';
  const currency = params.currency('currency');
  details.choice('proration_behavior', ['always_invoice']);
  if (record === null) {
    const begun = newSubscription(outer, entries, customer);
    if (currency !== undefined && currency !== begun.currency) throw otherCurrency(begun.currency);
    return shown(outer, begun, linesOfItems(outer, begun, begun.items, null), customer ?? null);
  }
  if (customer !== undefined && customer !== record.customer) {
    throw invalidRequest(`The subscription ${id} does not belong to the customer ${customer}.`, {
      param: 'subscription',
    });
  }
  if (currency !== undefined && currency !== record.currency) throw otherCurrency(record.currency);
  if (endedStatuses.includes(record.status))
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
  const context = atTestClock(outer, record);
  const items = changeItems(context, record, entries);
  refuseMixture(
    items.map(({ price }) => getRecord(context, 'price', price)),
    record,
  );
  const lines = isRecurring
    ? linesOfItems(context, { ...record, status: 'active' }, items, null)
    : prorations(context, record, items);
  return shown(context, record, lines, record.customer);
}

function newSubscription(
  context: Context,
  entries: Params[],
  customer: string | undefined,
): SubscriptionRecord {
  const items = entries.map((entry) => readNewItem(context, entry));
  const start = { customer: customer ?? '', items, startedAt: context.now, trialEndsAt: null };
  const begun = newSubscriptionRecord(start);
  refuseMixture(
    items.map(({ price }) => price),
    begun,
  );
  if (customer !== undefined) ensureCurrency(context, customer, begun.currency);
  return begun;
}

/** What is left of the period of each item that changes: given back at the old price, and charged at the new one. */
function prorations(
  context: Context,
  record: SubscriptionRecord,
  items: readonly SubscriptionItemRecord[],
): InvoiceLineRecord[] {
  if (record.status === 'trialing') return [];
  const { now } = context;
  const before = new Map(record.items.map((item) => [item.id, item]));
  return items.flatMap((item): InvoiceLineRecord[] => {
    const old = before.get(item.id);
    if (old?.price === item.price && old.quantity === item.quantity) return [];
    const { start, end } = old?.period ?? {
      start: record.current_period_start,
      end: record.current_period_end,
    };
    const share = (end - now) / (end - start);
    const price = getRecord(context, 'price', item.price);
    const oldPrice = old && getRecord(context, 'price', old.price);
    const isRestarted = oldPrice !== undefined && !isSameInterval(price, oldPrice);
    const until = isRestarted ? addInterval(now, price.recurring) : end;
    const line = (amount: number, of: SubscriptionItemRecord, description: string, to: number) => ({
      ...{ id: newId('il', 24), amount, description, price: of.price, quantity: of.quantity ?? 1 },
      ...{ subscription_item: item.id, period: { start: now, end: to } },
    });
    const cost = priceOfUnits(price, item.quantity ?? 1);
    const given = old && oldPrice ? Math.round(priceOfUnits(oldPrice, old.quantity ?? 1) * share) : 0;
    return [
      ...(old === undefined ? [] : [line(-given, old, 'Unused time', end)]),
      line(isRestarted ? cost : Math.round(cost * share), item, 'Remaining time', until),
    ];
  });
}

function shown(
  context: Context,
  record: SubscriptionRecord,
  lines: InvoiceLineRecord[],
  customer: string | null,
): Stripe.Invoice {
  const none = { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null };
  const { currency, current_period_start, current_period_end, collection_method } = record;
  const total = totalOf(lines);
  const invoice = showInvoice(context, {
    ...{ id: newId('upcoming_in', 24), created: context.now, attempt_count: 0, billing_reason: 'upcoming' },
    ...{ collection_method, currency, customer: record.customer, lines, number: '', status: 'draft' },
    ...{ period_start: current_period_start, period_end: current_period_end, status_transitions: none },
    ...{ subscription: record.latest_invoice === null ? null : record.id, total },
  });
  // What is above what is due becomes the customer's credit.
  return { ...invoice, customer, amount_due: Math.max(0, total), hosted_invoice_url: null };
}

function otherCurrency(currency: string) {
  return invalidRequest(`The currency does not match that of the subscription: ${currency}.`, {
    param: 'currency',
  });
}
