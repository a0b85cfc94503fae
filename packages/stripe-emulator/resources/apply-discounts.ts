// What discounts take off the lines of an invoice or a checkout. Pure. Discounts apply in their order, each to what the ones before
// it have left: https://docs.stripe.com/billing/subscriptions/coupons#stacking.
import type { CouponTerms, DiscountAmount } from '../store/discount-records.ts';

export interface DiscountableLine {
  /** Minor units. */
  amount: number;
  product: string | null;
  isDiscountable: boolean;
}

export interface AppliedTerms {
  /** The discount's id. */
  discount: string;
  terms: CouponTerms;
}

/** @returns the amounts of each line, in the order of the discounts; a discount that takes nothing off a line has none there */
export function applyDiscounts(
  lines: readonly DiscountableLine[],
  discounts: readonly AppliedTerms[],
  currency: string,
): DiscountAmount[][] {
  const left = lines.map(({ amount }) => amount);
  const taken: DiscountAmount[][] = lines.map(() => []);
  for (const { discount, terms } of discounts) {
    const isMeant = ({ product, isDiscountable }: DiscountableLine) =>
      isDiscountable && (terms.products === null || (product !== null && terms.products.includes(product)));
    const base = lines.map((line, index) => (isMeant(line) ? Math.max(0, left[index] ?? 0) : 0));
    for (const [index, amount] of amountsOff(base, terms, currency).entries()) {
      if (amount === 0) continue;
      left[index] = (left[index] ?? 0) - amount;
      taken[index]?.push({ amount, discount });
    }
  }
  return taken;
}

function amountsOff(
  base: readonly number[],
  { percent_off: percent, amount_off: amount, currency: of }: CouponTerms,
  currency: string,
): number[] {
  if (percent !== null) return base.map((each) => Math.round((each * percent) / 100));
  return amount === null || of !== currency ? base.map(() => 0) : shares(base, amount);
}

/** Divides an amount in proportion to the lines; the shares add up to it, or to all lines if they are less. */
function shares(base: readonly number[], amount: number): number[] {
  const sum = base.reduce((total, each) => total + each, 0);
  if (amount >= sum) return [...base];
  let before = 0;
  let given = 0;
  return base.map((each) => {
    before += each;
    const share = Math.round((amount * before) / sum) - given;
    given += share;
    return share;
  });
}

/** The amounts of all lines by discount, as `total_discount_amounts` has them. */
export function totalsByDiscount(
  lines: readonly (readonly DiscountAmount[])[],
  discounts: readonly string[],
): DiscountAmount[] {
  return discounts.map((discount) => ({
    amount: lines.flat().reduce((sum, each) => (each.discount === discount ? sum + each.amount : sum), 0),
    discount,
  }));
}

export function sumOf(amounts: readonly DiscountAmount[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0);
}
