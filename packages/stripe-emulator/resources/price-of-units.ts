// Price of a number of units: https://docs.stripe.com/billing/subscriptions/usage-based/pricing-models.
import type { PriceRecord } from '../store/records.ts';

/** In minor units, rounded to the nearest integer. */
export function priceOfUnits(price: PriceRecord, units: number): number {
  if (price.tiers === null) return Math.round(Number(price.unit_amount_decimal ?? 0) * units);
  return Math.round(
    price.tiers_mode === 'volume' ? volumePrice(price.tiers, units) : graduatedPrice(price.tiers, units),
  );
}

type Tiers = NonNullable<PriceRecord['tiers']>;

/** Graduated: every unit costs the price of its own tier. */
function graduatedPrice(tiers: Tiers, units: number): number {
  let sum = 0;
  let from = 0;
  for (const tier of tiers) {
    const upTo = tier.up_to ?? Infinity;
    if (units <= from && from > 0) break;
    const inTier = Math.max(0, Math.min(units, upTo) - from);
    sum += (tier.flat_amount ?? 0) + inTier * Number(tier.unit_amount_decimal ?? 0);
    from = upTo;
  }
  return sum;
}

/** Volume: all units cost the price of the tier of the total. */
function volumePrice(tiers: Tiers, units: number): number {
  const tier = tiers.find(({ up_to: upTo }) => upTo === null || units <= upTo);
  return (tier?.flat_amount ?? 0) + units * Number(tier?.unit_amount_decimal ?? 0);
}
