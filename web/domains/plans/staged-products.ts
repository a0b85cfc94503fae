/**
 * The products that the dialog will link to and unlink from a plan. Toggling a staged product unstages it. Nothing is
 * sent until everything is saved together.
 */
import type { ProductMapping } from '#contracts/console/plans';

/** Identifies a product across integrations. */
export const productKey = ({ integrationId, productId }: ProductMapping): string =>
  `${integrationId} ${productId}`;

/** By product key: true to link, false to unlink. */
export type StagedProducts = ReadonlyMap<string, boolean>;

export const NOTHING_STAGED: StagedProducts = new Map();

/** @param linked the keys of the currently linked products */
export function toggleProduct(
  staged: StagedProducts,
  linked: ReadonlySet<string>,
  product: ProductMapping,
): StagedProducts {
  const next = new Map(staged);
  const key = productKey(product);
  if (!next.delete(key)) next.set(key, !linked.has(key));
  return next;
}

export interface ProductChanges {
  readonly added: readonly ProductMapping[];
  readonly removed: readonly ProductMapping[];
}

/** The staged changes that are still needed, without those that somebody else has already made. */
export function stagedChanges(
  staged: StagedProducts,
  linked: ReadonlySet<string>,
  products: readonly ProductMapping[],
): ProductChanges {
  const wanted = (product: ProductMapping) => staged.get(productKey(product));
  const mappings = products.map(({ integrationId, productId }) => ({ integrationId, productId }));
  return {
    added: mappings.filter((product) => wanted(product) === true && !linked.has(productKey(product))),
    removed: mappings.filter((product) => wanted(product) === false && linked.has(productKey(product))),
  };
}
