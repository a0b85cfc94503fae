/**
 * Which products the dialog is about to link to a plan and unlink from it (specification, domain screens, section 4):
 * toggling one that is staged cancels it, and nothing happens before all of it is saved.
 */
import type { ProductMapping } from '#contracts/plans';

/** Of a product, across all integrations. */
export const productKey = ({ integrationId, productId }: ProductMapping): string =>
  `${integrationId} ${productId}`;

/** By the product's key: whether it is to be linked. */
export type StagedProducts = ReadonlyMap<string, boolean>;

export const NOTHING_STAGED: StagedProducts = new Map();

/** @param linked the keys of what is linked now */
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

/** What is left to do of what was staged: not what somebody else has done meanwhile. */
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
