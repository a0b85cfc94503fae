// Rendered form of coupons and promotion codes, and whether they can be redeemed: https://docs.stripe.com/billing/subscriptions/coupons.
import type Stripe from 'stripe';
import type { Context } from '../core/emulator.ts';
import { invalidRequest, type StripeError } from '../core/stripe-error.ts';
import type { CouponRecord, CouponTerms, PromotionCodeRecord } from '../store/discount-records.ts';

/** @param withProducts Stripe returns the products only with `expand` */
export function showCoupon(context: Context, record: CouponRecord, withProducts = false): Stripe.Coupon {
  const { products, ...same } = record;
  return {
    ...same,
    object: 'coupon',
    ...(withProducts && products ? { applies_to: { products } } : {}),
    livemode: context.livemode,
    valid: isValid(context, record),
  };
}

export function showPromotionCode(context: Context, record: PromotionCodeRecord): Stripe.PromotionCode {
  const { coupon, first_time_transaction, minimum_amount, minimum_amount_currency, ...same } = record;
  return {
    ...same,
    object: 'promotion_code',
    active: isActive(context, record),
    customer_account: null,
    livemode: context.livemode,
    promotion: { coupon, type: 'coupon' },
    restrictions: { first_time_transaction, minimum_amount, minimum_amount_currency },
  };
}

function isValid(context: Context, { max_redemptions, redeem_by, times_redeemed }: CouponRecord): boolean {
  const isUsedUp = max_redemptions !== null && times_redeemed >= max_redemptions;
  return !isUsedUp && (redeem_by === null || redeem_by > context.now);
}

function isActive(context: Context, record: PromotionCodeRecord): boolean {
  const { active, coupon: id, expires_at, max_redemptions, times_redeemed } = record;
  const isUsedUp = max_redemptions !== null && times_redeemed >= max_redemptions;
  const coupon = context.emulator.objects.find(context.scope, 'coupon', id);
  const isCurrent = expires_at === null || expires_at > context.now;
  return active && !isUsedUp && isCurrent && coupon !== undefined && isValid(context, coupon);
}

/** @throws {StripeError} 400 `coupon_expired`, also if it was redeemed too often */
export function ensureValid(context: Context, coupon: CouponRecord, param: string): void {
  if (isValid(context, coupon)) return;
  throw invalidRequest(`Coupon expired: ${coupon.id}`, { code: 'coupon_expired', param });
}

/** What a promotion code is redeemed for. */
export interface Redemption {
  /** Null: a new customer. */
  customer: string | null;
  /** Minor units, before the discount. */
  amount: number;
  currency: string;
}

/** @throws {StripeError} if the code is inactive, or its restrictions are not met */
export function ensureRedeemable(
  context: Context,
  code: PromotionCodeRecord,
  { customer, amount, currency }: Redemption,
  param: string,
): void {
  if (!isActive(context, code)) throw refused('it has expired or was used up', param);
  if (code.customer !== null && code.customer !== customer) {
    throw refused('it belongs to another customer', param);
  }
  if (code.first_time_transaction && customer !== null && hasPaid(context, customer)) {
    throw refused('the associated customer has prior transactions', param);
  }
  const { minimum_amount: minimum, minimum_amount_currency: of } = code;
  if (minimum !== null && (of !== currency || amount < minimum)) {
    throw refused('the minimum amount has not been met', param);
  }
}

function refused(reason: string, param: string): StripeError {
  return invalidRequest(`This promotion code cannot be redeemed because ${reason}.`, { param });
}

function hasPaid(context: Context, parent: string): boolean {
  const { objects } = context.emulator;
  return (['charge', 'invoice'] as const).some(
    (kind) => objects.count(context.scope, kind, { parent, statuses: ['succeeded', 'paid'] }) > 0,
  );
}

/** Counts a redemption of the coupon, and of its promotion code. */
export function redeem(context: Context, couponId: string, codeId: string | null): void {
  const { objects } = context.emulator;
  const coupon = objects.find(context.scope, 'coupon', couponId);
  if (coupon) {
    const times_redeemed = coupon.times_redeemed + 1;
    objects.update(context.scope, 'coupon', { ...coupon, times_redeemed });
  }
  const code = codeId === null ? undefined : objects.find(context.scope, 'promotion_code', codeId);
  if (code === undefined) return;
  const redeemed = { ...code, times_redeemed: code.times_redeemed + 1 };
  objects.update(context.scope, 'promotion_code', redeemed, promotionCodeAttributes(redeemed));
}

export function promotionCodeAttributes({ coupon, code, active }: PromotionCodeRecord) {
  return { parent: coupon, key: code.toUpperCase(), status: active ? 'active' : 'inactive' };
}

export function termsOf(coupon: CouponRecord): CouponTerms {
  const { amount_off, currency, percent_off, duration, duration_in_months, products } = coupon;
  return { amount_off, currency, percent_off, duration, duration_in_months, products };
}
