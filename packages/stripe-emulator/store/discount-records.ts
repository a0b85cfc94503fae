// Stored form of coupons, promotion codes and discounts.

/** What a coupon takes off. A discount keeps a copy, because the coupon may be deleted. */
export interface CouponTerms {
  amount_off: number | null;
  /** Of `amount_off`. */
  currency: string | null;
  percent_off: number | null;
  duration: 'forever' | 'once' | 'repeating';
  duration_in_months: number | null;
  /** The products that it applies to; null: all. */
  products: string[] | null;
}

export interface CouponRecord extends CouponTerms {
  id: string;
  created: number;
  name: string | null;
  metadata: Record<string, string>;
  max_redemptions: number | null;
  /** Unix seconds. */
  redeem_by: number | null;
  times_redeemed: number;
}

export interface PromotionCodeRecord {
  id: string;
  created: number;
  /** As entered by customers, who may write it in lower case. */
  code: string;
  coupon: string;
  active: boolean;
  customer: string | null;
  /** Unix seconds. */
  expires_at: number | null;
  max_redemptions: number | null;
  metadata: Record<string, string>;
  first_time_transaction: boolean;
  minimum_amount: number | null;
  minimum_amount_currency: string | null;
  times_redeemed: number;
}

/** A coupon that was applied. */
export interface DiscountRecord {
  id: string;
  /** Unix seconds. */
  created: number;
  /** Unix seconds; null: until its duration is over, or forever. */
  end: number | null;
  coupon: string;
  promotion_code: string | null;
  terms: CouponTerms;
  customer: string | null;
  checkout_session: string | null;
  subscription: string | null;
  invoice: string | null;
}

/** An amount of a discount, in minor units. */
export interface DiscountAmount {
  amount: number;
  discount: string;
}
