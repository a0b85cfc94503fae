/** Determines a subject's plans. */
import type { ProductReference } from '../artifacts/artifact-content.ts';
import { type PlanSet, planSetOf } from './plan-set.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';

export interface Subject {
  readonly isAuthenticated: boolean;
  /** From activeProducts. Products and manual grants count for authenticated subjects only. */
  readonly products?: readonly ProductReference[] | undefined;
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
