// Links the demo's plans to the products that were read from Stripe, by their names.
import { planEndpoints } from '#contracts/plans';
import { stripeIntegrationEndpoints } from '#contracts/stripe';
import { demoPlans } from './demo-plans.ts';
import { found, type Workspace } from './workspace.ts';

/** What is linked already stays as it is. */
export async function linkProducts({ session, orgId }: Workspace, integrationId: string): Promise<void> {
  const params = { orgId };
  const plans = await session.call(planEndpoints.list, { params });
  const read = await session.call(stripeIntegrationEndpoints.availableProducts, { params });
  const products = read.filter((product) => product.integrationId === integrationId);
  for (const { slug, products: names } of demoPlans) {
    if (names.length === 0) continue;
    const { planId, currentVersion: version } = found(plans, ({ planSlug }) => planSlug === slug);
    const addProducts = names.map((name) => {
      const { productId } = found(products, (product) => product.name === name);
      return { integrationId, productId, version };
    });
    await session.call(planEndpoints.updateProducts, { params: { orgId, planId }, body: { addProducts } });
  }
}
