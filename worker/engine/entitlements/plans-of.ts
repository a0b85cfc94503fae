/** Which plans hold for a subject (DESIGN 4.1). */
import type { ProductReference } from '../artifacts/artifact-content.ts';
import { type PlanSet, planSetOf } from './plan-set.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';

export interface Subject {
  readonly isAuthenticated: boolean;
  /** What activeProducts gave. Products and plans granted by hand count for authenticated subjects only. */
  readonly products?: readonly ProductReference[] | undefined;
  readonly grantedPlanIds?: readonly string[] | undefined;
  /** What dynamic-provisioning workflows answered; counts for anonymous subjects too. */
  readonly provisioned?: readonly ProvisionedPlans[] | undefined;
}

/** Plan slugs that one workflow adds to the subject's plans, or puts in their place. */
export interface ProvisionedPlans {
  readonly plans: readonly string[];
  readonly mode: 'add' | 'replace';
}

/**
 * Workflows run side by side, so their order decides nothing: where some replace, the plans of all that do stand in
 * place of the subject's own, and what others add is added to that. Unknown products and ids grant nothing; unknown
 * slugs of workflows are reported.
 */
export function plansOf(prepared: PreparedArtifact, subject: Subject): PlanSet {
  const { isAuthenticated, provisioned = [] } = subject;
  const basis = isAuthenticated ? prepared.authenticatedPlans : prepared.anonymousPlans;
  const products = isAuthenticated ? (subject.products ?? []) : [];
  const grantedPlanIds = isAuthenticated ? (subject.grantedPlanIds ?? []) : [];
  if (products.length === 0 && grantedPlanIds.length === 0 && provisioned.length === 0) return basis;

  const indexes = new Set<number>();
  const unknown = new Set<string>();
  if (!provisioned.some(({ mode }) => mode === 'replace')) {
    for (const index of basis.indexes) indexes.add(index);
    addOwn(prepared, products, grantedPlanIds, indexes);
  }
  for (const slug of provisioned.flatMap(({ plans }) => plans)) {
    const index = prepared.planIndexBySlug.get(slug);
    if (index === undefined) unknown.add(slug);
    else indexes.add(index);
  }
  return planSetOf([...indexes].sort(ascending), [...unknown]);
}

function addOwn(
  prepared: PreparedArtifact,
  products: readonly ProductReference[],
  grantedPlanIds: readonly string[],
  indexes: Set<number>,
): void {
  for (const { integrationId, productId } of products) {
    for (const index of prepared.plansByProduct.get(integrationId)?.get(productId) ?? []) indexes.add(index);
  }
  for (const planId of grantedPlanIds) {
    const index = prepared.planIndexById.get(planId);
    if (index !== undefined) indexes.add(index);
  }
}

function ascending(one: number, other: number): number {
  return one - other;
}
