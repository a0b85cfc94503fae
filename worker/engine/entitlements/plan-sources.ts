/** Why a customer has each of their plans, for explaining: computed only when asked for. */
import type { PlanSource } from '#contracts/access';
import type { CustomerFacts } from '#contracts/customer-facts';
import { activeProducts, type EnvironmentType } from './active-products.ts';
import type { PreparedArtifact } from './prepared-artifact.ts';

/** By the plan's place in the artifact. Plans that hold for another reason (workflows) are not in it. */
export type PlanSources = ReadonlyMap<number, readonly PlanSource[]>;

export function planSources(
  prepared: PreparedArtifact,
  { isAuthenticated }: { readonly isAuthenticated: boolean },
  { grants, stripe }: CustomerFacts,
  environmentType: EnvironmentType,
  now: number,
): PlanSources {
  const sources = new Map<number, PlanSource[]>();
  const add = (index: number | undefined, source: PlanSource) => {
    if (index === undefined) return;
    const known = sources.get(index);
    if (known === undefined) sources.set(index, [source]);
    else known.push(source);
  };
  const kind = isAuthenticated ? 'authenticated-users' : 'anonymous-sessions';
  const basis = isAuthenticated ? prepared.authenticatedPlans : prepared.anonymousPlans;
  for (const index of basis.indexes) add(index, { kind });
  if (!isAuthenticated) return sources;

  for (const subscription of stripe?.subscriptions ?? []) {
    const { id: subscriptionId, status } = subscription;
    for (const product of activeProducts([subscription], environmentType)) {
      const plans = prepared.plansByProduct.get(product.integrationId)?.get(product.productId) ?? [];
      for (const index of plans) add(index, { kind: 'subscription', ...product, subscriptionId, status });
    }
  }
  for (const { planId, until } of grants) {
    const isGranted = until === null || until > now;
    if (isGranted) add(prepared.planIndexById.get(planId), { kind: 'grant' });
  }
  return sources;
}
