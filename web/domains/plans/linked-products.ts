/** The products that a plan links to, with their names in Stripe; null if Stripe no longer has the product. */

import type { ProductMapping } from '#contracts/console/plans';
import type { AvailableProduct } from '#contracts/console/stripe';
import { matchesSearch } from '#web/ui/matches-search.ts';
import { productKey } from './staged-products.ts';

export interface LinkedProduct extends ProductMapping {
  readonly product: AvailableProduct | null;
}

export function linkedProducts(
  mappings: readonly ProductMapping[],
  available: readonly AvailableProduct[],
): LinkedProduct[] {
  const byKey = new Map(available.map((product) => [productKey(product), product]));
  return mappings.map(({ integrationId, productId }) => ({
    integrationId,
    productId,
    product: byKey.get(productKey({ integrationId, productId })) ?? null,
  }));
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

/** All products of the dialog: the available ones by name, then linked ones that Stripe no longer has. */
export function choosableProducts(
  mappings: readonly ProductMapping[],
  available: readonly AvailableProduct[],
): LinkedProduct[] {
  const named = available.map((product) => ({
    integrationId: product.integrationId,
    productId: product.productId,
    product,
  }));
  return byName([...named, ...linkedProducts(mappings, available).filter(({ product }) => product === null)]);
}

/** Matches part of the product's name, its id, or its integration's name. */
export function isProductFound({ product, productId }: LinkedProduct, search: string): boolean {
  return matchesSearch(`${product?.name ?? ''}\n${productId}\n${product?.integrationName ?? ''}`, search);
}
