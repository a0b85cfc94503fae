/** The products and prices that a plan links to, with their names in Stripe; null if Stripe no longer has the product. */
import type { ProductMapping } from '#contracts/console/plans';
import type { AvailableProduct, StripePrice } from '#contracts/console/stripe';
import { matchesSearch } from '#web/ui/lists/matches-search.ts';
import { productKey } from './staged-products.ts';

export interface LinkedProduct extends ProductMapping {
  readonly product: AvailableProduct | null;
}

export function linkedProducts(
  mappings: readonly ProductMapping[],
  available: readonly AvailableProduct[],
): LinkedProduct[] {
  const byKey = new Map(available.map((product) => [productKey(product), product]));
  return mappings.map((mapping) => {
    const { integrationId, productId } = mapping;
    return { ...mapping, product: byKey.get(productKey({ integrationId, productId })) ?? null };
  });
}

/** Products that Stripe no longer has come last. */
export function byName(products: readonly LinkedProduct[]): LinkedProduct[] {
  return [...products].sort(({ product: one }, { product: other }) =>
    one === null || other === null
      ? Number(one === null) - Number(other === null)
      : one.name.localeCompare(other.name, undefined, { numeric: true }) ||
        one.integrationName.localeCompare(other.integrationName),
  );
}

/** The product's name, and the price's if a price is linked. */
export function nameOfLink({ product, productId, priceId, priceName }: LinkedProduct): string {
  const name = product?.name ?? productId;
  return priceId === undefined ? name : `${name} · ${priceName || priceId}`;
}

/**
 * All products of the dialog: the available ones by name, then linked ones that Stripe no longer has. A product's prices follow it:
 * the linked ones, and those that were loaded.
 * @param prices by product key
 */
export function choosableProducts(
  mappings: readonly ProductMapping[],
  available: readonly AvailableProduct[],
  prices: ReadonlyMap<string, readonly StripePrice[]> = new Map(),
): LinkedProduct[] {
  const links = linkedProducts(mappings, available);
  const byKey = new Map(links.map((link) => [productKey(link), link]));
  const named = available.map((product) => ({
    integrationId: product.integrationId,
    productId: product.productId,
    product,
  }));
  const gone = links.filter(({ product }) => product === null);
  return byName([...named, ...gone]).flatMap((product) => {
    const key = productKey(product);
    if (product.priceId !== undefined || product.product === null) return [product];
    const loaded = (prices.get(key) ?? []).map(({ priceId, name }) => ({
      ...product,
      priceId,
      priceName: name,
    }));
    const known = links.filter((link) => link.priceId !== undefined && key === productKey(productOf(link)));
    const all = new Map([...loaded, ...known].map((price) => [productKey(price), price]));
    return [byKey.get(key) ?? product, ...all.values()];
  });
}

const productOf = ({ integrationId, productId }: LinkedProduct) => ({ integrationId, productId });

/** Matches part of the product's name, its id, or its integration's name. */
export function isProductFound(
  { product, productId, priceId = '', priceName = '' }: LinkedProduct,
  search: string,
): boolean {
  const texts = [product?.name ?? '', productId, product?.integrationName ?? '', priceId, priceName];
  return matchesSearch(texts.join('\n'), search);
}
