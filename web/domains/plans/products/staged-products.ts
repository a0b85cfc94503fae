/**
 * The products and prices that the dialog will link to and unlink from a plan. Toggling a staged one unstages it. Nothing is
 * sent until everything is saved together.
 */
import type { ProductMapping } from '#contracts/console/plans';

/** Identifies a product, or one of its prices, across integrations. */
export const productKey = ({ integrationId, productId, priceId }: ProductMapping): string =>
  [integrationId, productId, ...(priceId === undefined ? [] : [priceId])].join(' ');

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
  /** Linked ones that will count differently. */
  readonly changed: readonly ProductMapping[];
}

/**
 * The staged changes that are still needed, without those that somebody else has already made.
 * @param products linked ones as they are linked
 * @param times by product key: whether it is to count times its quantity
 */
export function stagedChanges(
  staged: StagedProducts,
  linked: ReadonlySet<string>,
  products: readonly ProductMapping[],
  times: StagedProducts = NOTHING_STAGED,
): ProductChanges {
  const wanted = (product: ProductMapping) => staged.get(productKey(product));
  const isLinked = (product: ProductMapping) => linked.has(productKey(product));
  const isTimed = (product: ProductMapping) =>
    times.get(productKey(product)) ?? product.timesQuantity ?? false;
  const removed = products.filter((product) => wanted(product) === false && isLinked(product));
  const changed = products.filter(
    (product) =>
      isLinked(product) && wanted(product) !== false && isTimed(product) !== (product.timesQuantity ?? false),
  );
  return {
    added: products
      .filter((product) => wanted(product) === true && !isLinked(product))
      .map((product) => ({ ...referenceOf(product), ...(isTimed(product) ? { timesQuantity: true } : {}) })),
    removed: removed.map(referenceOf),
    changed: changed.map((product) => ({ ...referenceOf(product), timesQuantity: isTimed(product) })),
  };
}

function referenceOf({ integrationId, productId, priceId }: ProductMapping): ProductMapping {
  return { integrationId, productId, ...(priceId === undefined ? {} : { priceId }) };
}
