// Connects an organisation to a Stripe account, with the steps of the console's guide: key, both syncs, webhook. The syncs run on
// queues; callers that need their results use `waitForSync`.
import { type Plan, planEndpoints } from '#contracts/console/plans';
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import type { BodyInputOf } from '#contracts/public/endpoint';
import type { Workspace } from './build-workspace.ts';
import { waitUntil } from './wait-until.ts';

/** Products first, because plans link to them next. */
const SYNCS: readonly SyncType[] = ['stripe-product', 'stripe-customer'];

/**
 * @param present an integration whose missing steps are done, instead of a new one
 * @returns the integration's id
 */
export async function connectStripe(
  { session, orgId }: Workspace,
  body: BodyInputOf<typeof stripeIntegrationEndpoints.create>,
  present?: StripeIntegration,
): Promise<string> {
  const integration =
    present ?? (await session.call(stripeIntegrationEndpoints.create, { params: { orgId }, body }));
  const params = { orgId, integrationId: integration.id };
  for (const type of SYNCS) {
    if (integration.syncJobs.some((job) => job.type === type)) continue;
    await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type } });
  }
  if (!integration.hasWebhook) {
    await session.call(stripeIntegrationEndpoints.addWebhook, { params, body: { mode: 'automatic' } });
  }
  if (!integration.quickstartWaitForEventSkipped) {
    const skipped = { quickstartWaitForEventSkipped: true };
    await session.call(stripeIntegrationEndpoints.update, { params, body: skipped });
  }
  return integration.id;
}

/** @throws {Error} if the sync fails or does not end in time */
export async function waitForSync(
  { session, orgId }: Workspace,
  integrationId: string,
  type: SyncType,
): Promise<void> {
  const params = { orgId, integrationId };
  await waitUntil(`the Stripe sync (${type}) ends`, async () => {
    const { syncJobs } = await session.call(stripeIntegrationEndpoints.get, { params });
    const job = syncJobs.find((each) => each.type === type);
    if (job?.status === 'failed') throw new Error(`The Stripe sync (${type}) failed: ${job.error}`);
    return job?.status === 'finished';
  });
}

/** Customers who subscribe to one of the products get the plan, times its quantity if asked. */
export async function linkProducts(
  { session, orgId }: Workspace,
  { planId, currentVersion: version }: Pick<Plan, 'planId' | 'currentVersion'>,
  integrationId: string,
  productIds: readonly string[],
  timesQuantity = false,
): Promise<void> {
  const addProducts = productIds.map((productId) => ({ integrationId, productId, version, timesQuantity }));
  await session.call(planEndpoints.updateProducts, { params: { orgId, planId }, body: { addProducts } });
}
