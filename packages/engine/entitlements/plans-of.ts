/** Determines a subject's plans. */
import type { SubscribedProduct } from './active-products.ts';
import { type PlanSet, planSetOf } from './plan-set.ts';
import type { PlanLink, PreparedArtifact } from './prepared-artifact.ts';

export interface Subject {
  readonly isAuthenticated: boolean;
  /** From activeProducts. Products and manual grants count for authenticated subjects only. */
  readonly products?: readonly SubscribedProduct[] | undefined;
  readonly grantedPlanIds?: readonly string[] | undefined;
  /** Results of dynamic-provisioning workflows; count for anonymous subjects too. */
  readonly provisioned?: readonly ProvisionedPlans[] | undefined;
}

/** Plan slugs that one workflow adds to the subject's plans, or replaces them with. */
export interface ProvisionedPlans {
  readonly plans: readonly string[];
  readonly mode: 'add' | 'replace';
  /** The workflow's name, for explanations. */
  readonly workflow?: string;
}

/**
 * Workflows run in parallel, so the result does not depend on their order. If any replace, the union of their plans replaces
 * the subject's own; the additions of the others are added to that. Unknown products and ids grant nothing; unknown slugs
 * from workflows are reported.
 */
export function plansOf(prepared: PreparedArtifact, subject: Subject): PlanSet {
  const { isAuthenticated, provisioned = [] } = subject;
  const basis = isAuthenticated ? prepared.authenticatedPlans : prepared.anonymousPlans;
  const products = isAuthenticated ? (subject.products ?? []) : [];
  const grantedPlanIds = isAuthenticated ? (subject.grantedPlanIds ?? []) : [];
  if (products.length === 0 && grantedPlanIds.length === 0 && provisioned.length === 0) return basis;

  const indexes = new Set<number>();
  const unknown = new Set<string>();
  let multiples: PlanMultiples | null = null;
  if (!provisioned.some(({ mode }) => mode === 'replace')) {
    for (const index of basis.indexes) indexes.add(index);
    multiples = addOwn(prepared, products, grantedPlanIds, indexes);
  }
  for (const slug of provisioned.flatMap(({ plans }) => plans)) {
    const index = prepared.planIndexBySlug.get(slug);
    if (index === undefined) unknown.add(slug);
    else indexes.add(index);
  }
  if (multiples !== null) return multipliedSet(indexes, multiples, [...unknown]);
  return planSetOf([...indexes].sort(ascending), [...unknown]);
}

/** By the plan's index: the quantities other than 1 that it comes with. */
type PlanMultiples = Map<number, Set<number>>;

/** @param indexes plans that count once as they are; others come with quantities only */
function multipliedSet(
  indexes: ReadonlySet<number>,
  multiples: PlanMultiples,
  unknown: readonly string[],
): PlanSet {
  const quantities = new Map<number, readonly number[]>();
  for (const [index, factors] of multiples) {
    quantities.set(index, [...(indexes.has(index) ? [1] : []), ...factors].sort(ascending));
  }
  const all = [...new Set([...indexes, ...multiples.keys()])].sort(ascending);
  return planSetOf(all, unknown, quantities);
}

function addOwn(
  prepared: PreparedArtifact,
  products: readonly SubscribedProduct[],
  grantedPlanIds: readonly string[],
  indexes: Set<number>,
): PlanMultiples | null {
  let multiples: PlanMultiples | null = null;
  for (const product of products) {
    for (const link of prepared.plansByProduct.get(product.integrationId)?.get(product.productId) ?? NONE) {
      if (!isLinked(link, product)) continue;
      const quantity = quantityOf(link, product);
      if (quantity === 1) {
        indexes.add(link.index);
        continue;
      }
      multiples ??= new Map();
      const known = multiples.get(link.index);
      if (known === undefined) multiples.set(link.index, new Set([quantity]));
      else known.add(quantity);
    }
  }
  for (const planId of grantedPlanIds) {
    const index = prepared.planIndexById.get(planId);
    if (index !== undefined) indexes.add(index);
  }
  return multiples;
}

const NONE: readonly never[] = [];

/** Whether a link to the product, or to one of its prices, applies. */
export function isLinked({ priceId }: PlanLink, product: SubscribedProduct): boolean {
  return priceId === null || priceId === product.priceId;
}

/** What the plan's numbers and limits are multiplied by. */
export function quantityOf({ isTimesQuantity }: PlanLink, { quantity }: SubscribedProduct): number {
  return isTimesQuantity ? (quantity ?? 1) : 1;
}

function ascending(one: number, other: number): number {
  return one - other;
}
