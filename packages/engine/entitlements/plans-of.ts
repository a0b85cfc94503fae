/** Determines a subject's plans. */
import type { SubscribedProduct } from './active-products.ts';
import { type PlanSet, planSetOf, withoutLoneAddOns } from './plan-set.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';
import { linksOf, quantityOf } from './product-links.ts';

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
 * the subject's own; the additions of the others are added to that. Add-ons count only beside another plan. Unknown products
 * and ids grant nothing; unknown slugs from workflows are reported.
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
  const full = new Set<number>();
  if (!provisioned.some(({ mode }) => mode === 'replace')) {
    const assigned = isAuthenticated ? prepared.assigned.authenticated : prepared.assigned.anonymous;
    for (const index of assigned) full.add(index);
    for (const planId of grantedPlanIds) {
      const index = prepared.planIndexById.get(planId);
      if (index !== undefined) full.add(index);
    }
    for (const index of full) indexes.add(index);
    multiples = addOwn(prepared, products, indexes);
  }
  for (const slug of provisioned.flatMap(({ plans }) => plans)) {
    const index = prepared.planIndexBySlug.get(slug);
    if (index === undefined) {
      unknown.add(slug);
      continue;
    }
    indexes.add(index);
    full.add(index);
  }
  const trials = trialsOf(prepared, products, indexes, multiples, full);
  if (multiples !== null) return multipliedSet(prepared, indexes, multiples, trials, [...unknown]);
  const applied = withoutLoneAddOns([...indexes].sort(ascending), prepared.addOns);
  return planSetOf(applied, [...unknown], null, trials);
}

/** @param full plans that come without a subscription, too */
function trialsOf(
  prepared: PreparedArtifact,
  products: readonly SubscribedProduct[],
  indexes: ReadonlySet<number>,
  multiples: PlanMultiples | null,
  full: ReadonlySet<number>,
): ReadonlySet<number> | null {
  if (!products.some(({ isInTrial }) => isInTrial)) return null;
  const indexesOf = (isTrial: boolean) =>
    products
      .filter(({ isInTrial = false }) => isInTrial === isTrial)
      .flatMap((product) => linksOf(prepared, product).map(({ index }) => index));
  const paid = new Set([...full, ...indexesOf(false)]);
  const trials = indexesOf(true).filter(
    (index) =>
      !paid.has(index) &&
      prepared.plans[index]?.trialLimits != null &&
      (indexes.has(index) || multiples?.has(index) === true),
  );
  return trials.length === 0 ? null : new Set(trials);
}

/** By the plan's index: the quantities that it comes with, one for each item. */
type PlanMultiples = Map<number, number[]>;

/** @param indexes plans that count once as they are; others come with quantities only */
function multipliedSet(
  prepared: PreparedArtifact,
  indexes: ReadonlySet<number>,
  multiples: PlanMultiples,
  trials: ReadonlySet<number> | null,
  unknown: readonly string[],
): PlanSet {
  const applied = withoutLoneAddOns(
    [...new Set([...indexes, ...multiples.keys()])].sort(ascending),
    prepared.addOns,
  );
  const quantities = new Map<number, readonly number[]>();
  for (const index of applied) {
    const factors = [...(indexes.has(index) ? [1] : []), ...(multiples.get(index) ?? [])];
    // Only sums tell two of the same quantity from one.
    const counted = prepared.hasSums ? factors : [...new Set(factors)];
    const isOnce = counted.length === 1 && counted[0] === 1;
    if (!isOnce) quantities.set(index, counted.sort(ascending));
  }
  return planSetOf(applied, unknown, quantities.size === 0 ? null : quantities, trials);
}

function addOwn(
  prepared: PreparedArtifact,
  products: readonly SubscribedProduct[],
  indexes: Set<number>,
): PlanMultiples | null {
  let multiples: PlanMultiples | null = null;
  for (const product of products) {
    for (const link of linksOf(prepared, product)) {
      if (!link.isTimesQuantity) {
        indexes.add(link.index);
        continue;
      }
      multiples ??= new Map();
      const quantity = quantityOf(link, product);
      const known = multiples.get(link.index);
      if (known === undefined) multiples.set(link.index, [quantity]);
      else known.push(quantity);
    }
  }
  return multiples;
}

function ascending(one: number, other: number): number {
  return one - other;
}
