// Links the demo's plans to synced Stripe products, by name.
import { planEndpoints } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { getItem, type Workspace } from '../workspace/build-workspace.ts';
import { linkProducts } from '../workspace/connect-stripe.ts';
import { demoPlans } from './demo-plans.ts';

/** Idempotent. */
export async function linkDemoProducts(workspace: Workspace, integrationId: string): Promise<void> {
  const { session, orgId } = workspace;
  const params = { orgId };
  const plans = await session.call(planEndpoints.list, { params });
  const read = await session.call(stripeIntegrationEndpoints.availableProducts, { params });
  const products = read.filter((product) => product.integrationId === integrationId);
  for (const { slug, products: names, timesQuantity } of demoPlans) {
    if (names.length === 0) continue;
    const plan = getItem(plans, ({ planSlug }) => planSlug === slug);
    const ids = names.map((name) => getItem(products, (product) => product.name === name).productId);
    await linkProducts(workspace, plan, integrationId, ids, timesQuantity);
  }
}
