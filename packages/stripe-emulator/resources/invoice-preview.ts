// The next invoice of a subscription, as far as it is known: https://docs.stripe.com/api/invoices/create_preview. Nothing is stored.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, StripeError } from '../core/stripe-error.ts';
import { newInvoice } from './invoice-changes.ts';
import { showInvoice } from './invoice-record.ts';
import { getRecord } from './list-page.ts';
import { previewChange } from './preview-change.ts';
import { nextPeriod } from './subscription-cycle.ts';
import { endedStatuses } from './subscription-record.ts';
import { atTestClock } from './test-clock-record.ts';

/**
 * The usage of the current period so far and the licensed prices of the next one; a subscription that is cancelled has only the usage.
 * Parameters that would change the subscription first are refused as unknown.
 */
export function previewInvoice(outer: Context, params: Params): Stripe.Invoice {
  const details = params.object('subscription_details');
  if (details !== undefined) return previewChange(outer, params, details);
  const id = params.text('subscription');
  if (id === undefined) throw parameterMissing('subscription');
  params.choice('preview_mode', ['next']);
  const record = getRecord(outer, 'subscription', id, 'subscription');
  const customer = params.text('customer');
  if (customer !== undefined && customer !== record.customer) {
    throw invalidRequest(`The subscription ${id} does not belong to the customer ${customer}.`, {
      param: 'subscription',
    });
  }
  const context = atTestClock(outer, record);
  const isMetered = (price: string) => getRecord(context, 'price', price).recurring?.usage_type === 'metered';
  const isEnding = record.cancel_at_period_end || record.cancel_at !== null;
  const items = record.items.filter(({ price }) => !isEnding || isMetered(price));
  if (endedStatuses.includes(record.status) || items.length === 0) {
    throw new StripeError(404, {
      type: 'invalid_request_error',
      code: 'invoice_upcoming_none',
      message: `No upcoming invoices for customer: ${record.customer}`,
    });
  }
  const { current_period_start: from, current_period_end: to } = record;
  const options = { used: { from, to }, items, isDraft: true };
  const next = { ...nextPeriod(context, record), status: 'active' as const };
  const invoice = newInvoice(context, next, 'upcoming', options);
  const preview = {
    ...invoice,
    id: newId('upcoming_in', 24),
    created: to,
    period_start: from,
    period_end: to,
  };
  return { ...showInvoice(context, preview), hosted_invoice_url: null };
}
