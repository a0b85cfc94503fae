/** What a plan's links lead to, with the names that Stripe gives; null where Stripe has the product no more. */
import type { ProductMapping } from '#contracts/plans';
import type { AvailableProduct } from '#contracts/stripe';
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

/** Those that Stripe has no more come last. */
export function byName(products: readonly LinkedProduct[]): LinkedProduct[] {
  return [...products].sort(({ product: one }, { product: other }) =>
    one === null || other === null
      ? Number(one === null) - Number(other === null)
      : one.name.localeCompare(other.name, undefined, { numeric: true }) ||
        one.integrationName.localeCompare(other.integrationName),
  );
}

/** All that the dialog lists: what can be linked by name, and behind it what is linked though Stripe has it no more. */
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

/** A product is found by a part of its name, of its id, or of its integration's name. */
export function isProductFound({ product, productId }: LinkedProduct, needle: string): boolean {
  if (needle === '') return true;
  return `${product?.name ?? ''}\n${productId}\n${product?.integrationName ?? ''}`
    .toLocaleLowerCase()
    .includes(needle);
}
