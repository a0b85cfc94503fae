// Discounts of a subscription: https://docs.stripe.com/billing/subscriptions/coupons.
import type { Context } from '../core/emulator.ts';
import type { SubscriptionRecord } from '../store/records.ts';
import type { Redemption } from './coupon-record.ts';
import { endDiscounts, giveDiscounts, type WantedDiscount } from './discount-record.ts';
import { linesOfItems } from './invoice-lines.ts';
import { getRecord } from './list-page.ts';

/** What a promotion code would be redeemed for. */
export function redemptionOf(context: Context, record: SubscriptionRecord): Redemption {
  const { currency, customer, items } = record;
  const lines = linesOfItems(context, { ...record, status: 'active' }, items, null);
  return { customer, currency, amount: lines.reduce((sum, { amount }) => sum + amount, 0) };
}

/** The subscription with the discounts that are wanted instead of its own. @param wanted undefined: nothing changes */
export function discountSubscription(
  context: Context,
  record: SubscriptionRecord,
  wanted: readonly WantedDiscount[] | undefined,
): SubscriptionRecord {
  if (wanted === undefined) return record;
  const { customer, id: subscription, discounts: before = [] } = record;
  const discounts = giveDiscounts(context, wanted, { customer, subscription });
  const ended = before.filter((each) => !discounts.includes(each));
  endDiscounts(
    context,
    ended.map((each) => getRecord(context, 'discount', each)),
  );
  return { ...record, discounts };
}
