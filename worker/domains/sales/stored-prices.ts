/** What the products of plans cost, as last read from Stripe. Never calls it. */
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { PlanPrice } from '#contracts/public/sales';
import type { ProductReference } from '#engine/artifacts/artifact-content';
import { compareText } from '#engine/text/compare-text';
import type { Db } from '#worker/db/database';
import { stripeIntegration, stripePrice } from '#worker/db/schema/stripe';

export type StoredPrice = typeof stripePrice.$inferSelect & { readonly livemode: boolean };

const INTERVALS: readonly PlanPrice['interval'][] = ['day', 'week', 'month', 'year'];

/** @param products of deployed plans: the rows of others are not read */
export async function readStoredPrices(
  db: Db,
  orgId: string,
  products: readonly ProductReference[],
): Promise<StoredPrice[]> {
  if (products.length === 0) return [];
  const ids = JSON.stringify([...new Set(products.map(({ productId }) => productId))]);
  return db
    .select({ ...getTableColumns(stripePrice), livemode: stripeIntegration.livemode })
    .from(stripePrice)
    .innerJoin(stripeIntegration, eq(stripeIntegration.id, stripePrice.integrationId))
    .where(
      and(
        eq(stripePrice.orgId, orgId),
        isNull(stripeIntegration.deletedAt),
        sql`${stripePrice.productId} IN (SELECT value FROM json_each(${ids}))`,
      ),
    );
}

/** The prices that give a plan, each with the link that says so. A link to one price goes before that to its product. */
export function pricesGiving(
  prices: readonly StoredPrice[],
  products: readonly ProductReference[],
): { readonly price: StoredPrice; readonly link: ProductReference }[] {
  return prices.flatMap((price) => {
    const links = products.filter(
      (each) =>
        each.integrationId === price.integrationId &&
        each.productId === price.productId &&
        (each.priceId ?? price.id) === price.id,
    );
    const link = links.find(({ priceId }) => priceId !== undefined) ?? links[0];
    return link === undefined ? [] : [{ price, link }];
  });
}

/** Live environments sell in live mode. Others sell in test mode, unless there is live mode only. */
export function pricesShown(
  prices: readonly StoredPrice[],
  products: readonly ProductReference[],
  isLive: boolean,
): PlanPrice[] {
  const giving = pricesGiving(prices, products);
  const test = giving.filter(({ price }) => !price.livemode);
  const live = giving.filter(({ price }) => price.livemode);
  return (isLive || test.length === 0 ? live : test)
    .map(({ price: { id, name, currency, amount, interval, intervalCount }, link }) => ({
      ...{ id, name, currency, amount, interval, intervalCount },
      perUnit: link.timesQuantity === true,
    }))
    .sort(
      (one, other) =>
        compareText(one.currency, other.currency) ||
        INTERVALS.indexOf(one.interval) - INTERVALS.indexOf(other.interval) ||
        one.intervalCount - other.intervalCount ||
        (one.amount ?? 0) - (other.amount ?? 0) ||
        compareText(one.id, other.id),
    );
}
