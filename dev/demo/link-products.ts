// Links the demo's plans to synced Stripe products, by name.
import { planEndpoints } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { demoPlans } from './demo-plans.ts';
import { getItem, type Workspace } from '../workspace/workspace.ts';

/** Idempotent. */
export async function linkProducts({ session, orgId }: Workspace, integrationId: string): Promise<void> {
  const params = { orgId };
  const plans = await session.call(planEndpoints.list, { params });
  const read = await session.call(stripeIntegrationEndpoints.availableProducts, { params });
  const products = read.filter((product) => product.integrationId === integrationId);
  for (const { slug, products: names } of demoPlans) {
    if (names.length === 0) continue;
    const { planId, currentVersion: version } = getItem(plans, ({ planSlug }) => planSlug === slug);
    const addProducts = names.map((name) => {
      const { productId } = getItem(products, (product) => product.name === name);
      return { integrationId, productId, version };
    });
    await session.call(planEndpoints.updateProducts, { params: { orgId, planId }, body: { addProducts } });
  }
}
