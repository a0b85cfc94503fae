// Actions of the control page's buttons for checkouts, payments, refunds and disputes. They go through the API's own calls.
import { answerPayment, answerRefund, disputeCharge, endDispute } from '../control/settle.ts';
import { decodeForm } from '../core/decode-form.ts';
import { newId } from '../core/emulator.ts';
import { Params } from '../core/params.ts';
import { invalidRequest } from '../core/stripe-error.ts';
import { createCheckoutSession } from '../resources/checkout-sessions.ts';
import { createCoupon } from '../resources/coupons.ts';
import { getRecord } from '../resources/list-page.ts';
import { createProduct } from '../resources/products.ts';
import { createPromotionCode } from '../resources/promotion-codes.ts';
import { createRefund } from '../resources/refunds.ts';
import type { Act, Done } from './control-actions.ts';
import { decimalsOf, formatMoney } from './money.ts';

export const paymentActions = new Map<string, (act: Act) => Done>([
  ['open-checkout', openCheckout],
  ['sell-once', sellOnce],
  ['create-code', createCode],
  ['answer-payment', settle],
  ['refund', refund],
  ['answer-refund', settleOne],
  ['dispute', dispute],
  ['end-dispute', end],
]);

function paramsOf(fields: Record<string, string>): Params {
  return new Params(decodeForm(String(new URLSearchParams(fields))));
}

function openCheckout({ context, form }: Act): Done {
  const price = getRecord(context, 'price', form.get('price') ?? '', 'price');
  const customer = form.get('customer');
  const back = `${context.emulator.origin()}/?account=${context.account.id}${context.livemode ? '&mode=live' : ''}`;
  const { url } = createCheckoutSession(
    context,
    paramsOf({
      mode: price.recurring === null ? 'payment' : 'subscription',
      'line_items[0][price]': price.id,
      'line_items[0][quantity]': form.get('quantity') ?? '1',
      allow_promotion_codes: 'true',
      success_url: `${back}&said=${encodeURIComponent('The checkout is complete.')}`,
      cancel_url: back,
      ...(customer ? { customer } : {}),
    }),
  );
  return { said: '', location: url ?? back };
}

function sellOnce({ context, form }: Act): Done {
  const name = form.get('name')?.trim() ?? '';
  const { currency } = context.account;
  const amount = minorOf(form.get('amount'), currency);
  createProduct(
    context,
    paramsOf({
      name,
      'default_price_data[currency]': currency,
      'default_price_data[unit_amount]': String(amount),
    }),
  );
  return { said: `${name} is for sale at ${formatMoney(amount, currency)}.` };
}

function createCode({ context, form }: Act): Done {
  const code = form.get('code')?.trim() ?? '';
  const percent = form.get('percent') ?? '';
  const duration = form.get('duration') ?? 'once';
  const id = newId('x', 8).slice(2);
  createCoupon(context, paramsOf({ id, percent_off: percent, duration, name: `${percent}% off` }));
  createPromotionCode(context, paramsOf({ code, 'promotion[type]': 'coupon', 'promotion[coupon]': id }));
  return { said: `${code} takes ${percent}% off in a checkout.` };
}

/** @throws {StripeError} unless it is an amount of money */
function minorOf(text: string | null, currency: string): number {
  const amount = (text ?? '').trim();
  if (/^\d{1,6}(\.\d{1,2})?$/.test(amount)) return Math.round(Number(amount) * 10 ** decimalsOf(currency));
  throw invalidRequest(`${amount || 'Nothing'} is not an amount. Write it like 20.00.`);
}

function bankAnswer(form: URLSearchParams): 'fail' | 'succeed' {
  return form.get('answer') === 'succeed' ? 'succeed' : 'fail';
}

function settle({ context, form }: Act): Done {
  const { status } = answerPayment(context, form.get('payment') ?? '', bankAnswer(form));
  return { said: status === 'succeeded' ? 'The payment is settled.' : 'The bank returned the payment.' };
}

function refund({ context, form }: Act): Done {
  const charge = getRecord(context, 'charge', form.get('charge') ?? '', 'charge');
  const amount = minorOf(form.get('amount'), charge.currency);
  createRefund(context, paramsOf({ charge: charge.id, amount: String(amount) }));
  return { said: `${formatMoney(amount, charge.currency)} is refunded.` };
}

function settleOne({ context, form }: Act): Done {
  const { status } = answerRefund(context, form.get('refund') ?? '', bankAnswer(form));
  return { said: status === 'succeeded' ? 'The refund is settled.' : 'The bank returned the refund.' };
}

function dispute({ context, form }: Act): Done {
  const { amount, currency } = disputeCharge(context, form.get('charge') ?? '');
  return { said: `${formatMoney(amount, currency)} is disputed and withdrawn.` };
}

function end({ context, form }: Act): Done {
  const outcome = form.get('outcome') === 'won' ? 'won' : 'lost';
  endDispute(context, form.get('dispute') ?? '', outcome);
  return { said: outcome === 'won' ? 'The dispute is won: the money is back.' : 'The dispute is lost.' };
}
