// Stored and rendered form of a discount, which is a coupon that was applied: https://docs.stripe.com/api/discounts/object.
import type Stripe from 'stripe';
import { type Context, newId } from '../core/emulator.ts';
import type { Params } from '../core/params.ts';
import { invalidRequest, parameterMissing, resourceMissing } from '../core/stripe-error.ts';
import type { DiscountRecord } from '../store/discount-records.ts';
import type { CheckoutDiscount } from '../store/records.ts';
import { addInterval } from './add-interval.ts';
import { ensureRedeemable, ensureValid, type Redemption, redeem, termsOf } from './coupon-record.ts';
import { emitEvent } from './emit-event.ts';
import { getRecord } from './list-page.ts';

export function showDiscount(_context: Context, record: DiscountRecord): Stripe.Discount {
  const { checkout_session, customer, end, id, invoice, promotion_code, subscription } = record;
  return {
    id,
    object: 'discount',
    checkout_session,
    customer,
    customer_account: null,
    end,
    invoice,
    invoice_item: null,
    promotion_code,
    source: { coupon: record.coupon, type: 'coupon' },
    start: record.created,
    subscription,
    subscription_item: null,
  };
}

/** An entry of `discounts[]`: a new one, or one that exists. */
export type WantedDiscount = CheckoutDiscount | DiscountRecord;

/**
 * Reads `discounts[]`; an empty string removes all.
 *
 * @param kept the discounts that an entry may name by their id
 * @throws {StripeError} 400 for an unknown or expired coupon, or a promotion code that cannot be redeemed
 */
export function readDiscounts(
  context: Context,
  params: Params,
  redemption: Redemption,
  kept: readonly string[] = [],
): WantedDiscount[] | undefined {
  if (params.isText('discounts')) {
    if (params.emptyable('discounts') === null) return [];
  }
  return params.objects('discounts')?.map((entry) => {
    const [coupon, code, discount] = [
      entry.text('coupon'),
      entry.text('promotion_code'),
      entry.text('discount'),
    ];
    if ([coupon, code, discount].filter((each) => each !== undefined).length > 1) {
      throw invalidRequest(
        'You may only specify one of these parameters: coupon, promotion_code, discount.',
        { param: entry.nameOf('coupon') },
      );
    }
    if (coupon !== undefined) return readCoupon(context, coupon, redemption, entry.nameOf('coupon'));
    if (code !== undefined) {
      const param = entry.nameOf('promotion_code');
      return redeemedBy(context, code, redemption, param);
    }
    if (discount === undefined) throw parameterMissing(entry.nameOf('coupon'));
    const param = entry.nameOf('discount');
    if (!kept.includes(discount)) throw resourceMissing('discount', discount, param);
    return getRecord(context, 'discount', discount, param);
  });
}

function readCoupon(context: Context, id: string, { currency }: Redemption, param: string): CheckoutDiscount {
  const coupon = getRecord(context, 'coupon', id, param);
  ensureValid(context, coupon, param);
  if (coupon.currency !== null && coupon.currency !== currency) {
    throw invalidRequest(
      `The coupon ${id} takes off an amount in \`${coupon.currency}\`. This doesn't match the expected currency: \`${currency}\`.`,
      { param },
    );
  }
  return { coupon: id, promotion_code: null, terms: termsOf(coupon) };
}

/** @throws {StripeError} if the code cannot be redeemed */
export function redeemedBy(
  context: Context,
  codeId: string,
  redemption: Redemption,
  param: string,
): CheckoutDiscount {
  const code = getRecord(context, 'promotion_code', codeId, param);
  ensureRedeemable(context, code, redemption, param);
  return { ...readCoupon(context, code.coupon, redemption, param), promotion_code: codeId };
}

type Target = Pick<DiscountRecord, 'customer'> &
  Partial<Pick<DiscountRecord, 'checkout_session' | 'invoice' | 'subscription'>>;

/** Applies coupons, and keeps the discounts that exist. Each new one counts as a redemption. @returns their ids */
export function giveDiscounts(context: Context, wanted: readonly WantedDiscount[], target: Target): string[] {
  return wanted.map((each) => ('id' in each ? each.id : giveDiscount(context, each, target)));
}

function giveDiscount(context: Context, { coupon, promotion_code, terms }: CheckoutDiscount, target: Target) {
  const months = terms.duration === 'repeating' ? terms.duration_in_months : null;
  const record: DiscountRecord = {
    id: newId('di', 24),
    created: context.now,
    end: months === null ? null : addInterval(context.now, { interval: 'month', interval_count: months }),
    coupon,
    promotion_code,
    terms,
    checkout_session: null,
    invoice: null,
    subscription: null,
    ...target,
  };
  context.emulator.objects.insert(context.scope, 'discount', record, { parent: target.customer });
  redeem(context, coupon, promotion_code);
  if (record.subscription !== null) {
    emitEvent(context, 'customer.discount.created', showDiscount(context, record));
  }
  return record.id;
}

/** The discounts that apply at an instant, in Unix seconds. */
export function discountsAt(context: Context, ids: readonly string[], at: number): DiscountRecord[] {
  return ids
    .flatMap((id) => context.emulator.objects.find(context.scope, 'discount', id) ?? [])
    .filter(({ end }) => end === null || end > at);
}

/** Announces that discounts no longer apply to a subscription. */
export function endDiscounts(context: Context, records: readonly DiscountRecord[]): void {
  for (const record of records) {
    emitEvent(context, 'customer.discount.deleted', showDiscount(context, record));
  }
}
