/** What a price would cost a customer: now, and in the next period. Stripe computes it, with what is unused of the plan before. */
import type { Stripe } from 'stripe';
import { findSoldPrice, type SoldPrice } from './find-sold-price.ts';
import { inStripeTerms } from './in-stripe-terms.ts';
import { type Buyer, stripeCustomersOf } from './paying-customer.ts';
import type { Shop } from './sales-account.ts';

/** Amounts in minor units. */
export interface Preview {
  /** Null: the customer is nobody in the account. */
  readonly stripeCustomer: string | null;
  readonly currency: string;
  readonly dueNow: number;
  readonly credit: number;
  readonly lines: { readonly description: string | null; readonly amount: number }[];
  /** The price that it takes the place of. */
  readonly replaces: string | null;
  readonly next: { readonly amount: number; readonly at: number } | null;
}

interface Change {
  /** Null: a new subscription. */
  readonly subscription: string | null;
  /** The item that changes; null: one is added. */
  readonly item: Stripe.SubscriptionItem | null;
}

const CURRENT: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
/** The most that Stripe lists at once. */
const MAX_SUBSCRIPTIONS = 100;

/** @throws {ApiError} invalid-request naming price; conflict; unavailable */
export function previewPurchase(
  shop: Shop,
  buyer: Buyer,
  wanted: { readonly price: string; readonly quantity: number | undefined },
): Promise<Preview> {
  return inStripeTerms(async () => {
    const sold = await findSoldPrice(shop, wanted.price);
    const known = await stripeCustomersOf(shop, buyer);
    const stripeCustomer = known.find(({ integrationId }) => integrationId === sold.account.id)?.id ?? null;
    const { price } = sold;
    return price.type === 'one_time'
      ? { stripeCustomer, ...paidOnce(price, wanted.quantity ?? 1) }
      : { stripeCustomer, ...(await subscribed(shop, sold, stripeCustomer, wanted.quantity)) };
  });
}

function paidOnce({ currency, unit_amount_decimal: unit }: Stripe.Price, quantity: number) {
  const dueNow = Math.round(Number(unit ?? 0) * quantity);
  return {
    currency,
    dueNow,
    credit: 0,
    lines: [{ description: null, amount: dueNow }],
    replaces: null,
    next: null,
  };
}

async function subscribed(
  shop: Shop,
  sold: SoldPrice,
  customer: string | null,
  quantity: number | undefined,
): Promise<Omit<Preview, 'stripeCustomer'>> {
  const { stripe, price } = sold;
  const { subscription, item } = await changeFor(shop, sold, customer);
  const isMetered = price.recurring?.usage_type === 'metered';
  const entry = {
    price: price.id,
    ...(item !== null && { id: item.id }),
    ...(!isMetered && { quantity: quantity ?? item?.quantity ?? 1 }),
  };
  const asked: Stripe.InvoiceCreatePreviewParams = {
    ...(customer === null ? { currency: price.currency } : { customer }),
    ...(subscription !== null && { subscription }),
    subscription_details: {
      items: [entry],
      ...(subscription !== null && { proration_behavior: 'always_invoice' }),
    },
  };
  const [now, later] = await Promise.all([
    stripe.invoices.createPreview(asked),
    stripe.invoices.createPreview({ ...asked, preview_mode: 'recurring' }),
  ]);
  const ends = now.lines.data
    .filter(({ pricing }) => pricing?.price_details?.price === price.id)
    .map(({ period }) => period.end);
  const endsAt = Math.max(
    ...ends,
    ...(ends.length === 0 ? [item?.current_period_end ?? now.period_end] : []),
  );
  return {
    currency: now.currency,
    dueNow: now.amount_due,
    credit: Math.max(0, -now.total),
    lines: now.lines.data.map(({ description, amount }) => ({ description, amount })),
    replaces: item?.price.id ?? null,
    next: { amount: later.total, at: endsAt * 1000 },
  };
}

/**
 * The item of the same product, or that gives the plan which another plan takes the place of. An add-on is added beside the plan. Otherwise it
 * is a new subscription.
 */
async function changeFor(shop: Shop, sold: SoldPrice, customer: string | null): Promise<Change> {
  if (customer === null) return { subscription: null, item: null };
  const { data } = await sold.stripe.subscriptions.list({ customer, limit: MAX_SUBSCRIPTIONS });
  const current = data.filter(({ status }) => CURRENT.has(status));
  const all = current.flatMap(({ id, items }) => items.data.map((item) => ({ subscription: id, item })));
  const isPlan = (price: Stripe.Price) =>
    shop.plans.some(
      ({ isAddOn, products }) =>
        isAddOn !== true &&
        products.some(
          ({ integrationId, productId, priceId = price.id }) =>
            integrationId === sold.account.id && productId === productOf(price) && priceId === price.id,
        ),
    );
  const same = all.find(({ item }) => productOf(item.price) === productOf(sold.price));
  if (same !== undefined) return same;
  const plan = all.find(({ item }) => isPlan(item.price));
  if (plan === undefined) return { subscription: null, item: null };
  return isPlan(sold.price) ? plan : { subscription: plan.subscription, item: null };
}

const productOf = ({ product }: Stripe.Price) => (typeof product === 'string' ? product : product.id);
