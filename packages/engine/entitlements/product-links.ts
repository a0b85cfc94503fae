/** Which plans an item of a subscription gives, by what they are linked to: its price, or its product whatever the price. */
import type { ArtifactPlan } from '../artifacts/artifact-content.ts';
import type { SubscribedProduct } from './active-products.ts';
import type { PlanLink, PreparedArtifact, ProductLinks } from './prepared-artifact.ts';

const NONE: readonly never[] = [];

/** One link per plan: the one to the item's price, or else the one to its product. */
export function linksOf(
  { linksByProduct }: PreparedArtifact,
  { integrationId, productId, priceId }: SubscribedProduct,
): readonly PlanLink[] {
  const links = linksByProduct.get(integrationId)?.get(productId);
  if (links === undefined) return NONE;
  return (priceId !== undefined && links.byPrice.get(priceId)) || links.anyPrice;
}

/** What the plan's numbers and limits are multiplied by. */
export function quantityOf({ isTimesQuantity }: PlanLink, { quantity }: SubscribedProduct): number {
  return isTimesQuantity ? (quantity ?? 1) : 1;
}

/** By integration, then product. */
export function linkProducts(plans: readonly ArtifactPlan[]): Map<string, Map<string, ProductLinks>> {
  const links = plans.flatMap(({ products }, index) =>
    products.map(({ integrationId, productId, priceId = null, timesQuantity = false }) => ({
      ...{ integrationId, productId },
      link: { index, priceId, isTimesQuantity: timesQuantity },
    })),
  );
  const linksWithin = (each: typeof links) => productLinksOf(each.map(({ link }) => link));
  return mapGroups(links, 'integrationId', (own) => mapGroups(own, 'productId', linksWithin));
}

/** A plan's link to a price takes precedence over its link to the product. */
function productLinksOf(links: readonly PlanLink[]): ProductLinks {
  const anyPrice = links.filter(({ priceId }) => priceId === null);
  const prices = new Set(links.flatMap(({ priceId }) => priceId ?? NONE));
  const linksTo = (price: string) => {
    const own = links.filter(({ priceId }) => priceId === price);
    const plans = new Set(own.map(({ index }) => index));
    const others = anyPrice.filter(({ index }) => !plans.has(index));
    return [...own, ...others].sort((one, other) => one.index - other.index);
  };
  return { anyPrice, byPrice: new Map([...prices].map((price) => [price, linksTo(price)])) };
}

function mapGroups<Key extends string, Row extends Record<Key, string>, Made>(
  rows: readonly Row[],
  key: Key,
  make: (rows: Row[]) => Made,
): Map<string, Made> {
  // Map.groupBy is not in Node 20, where the client's fake server runs this.
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group === undefined) groups.set(row[key], [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([name, own]) => [name, make(own)]));
}
