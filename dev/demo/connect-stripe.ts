// Connects the demo organisation to its Stripe account, with the steps of the console's guide: key, webhook, both syncs. The
// syncs run on queues; callers that need their results use `waitForSync`.
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { type Workspace, waitUntil } from '../workspace/workspace.ts';

/** Products first, because plans link to them next. */
const SYNCS: readonly SyncType[] = ['stripe-product', 'stripe-customer'];

/** @returns the integration's id */
export async function ensureStripe({ session, orgId }: Workspace, secretKey: string): Promise<string> {
  const [existing] = await session.call(stripeIntegrationEndpoints.list, { params: { orgId } });
  const integration =
    existing ??
    (await session.call(stripeIntegrationEndpoints.create, {
      params: { orgId },
      body: { description: 'Where customers subscribe, in test mode.', secretKey },
    }));
  const params = { orgId, integrationId: integration.id };
  for (const type of SYNCS) {
    if (integration.syncJobs.some((job) => job.type === type)) continue;
    await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type } });
  }
  if (!integration.hasWebhook) {
    await session.call(stripeIntegrationEndpoints.addWebhook, { params, body: { mode: 'automatic' } });
  }
  if (!integration.quickstartWaitForEventSkipped) {
    const body = { quickstartWaitForEventSkipped: true };
    await session.call(stripeIntegrationEndpoints.update, { params, body });
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
    const job = jobOf(await session.call(stripeIntegrationEndpoints.get, { params }), type);
    if (job?.status === 'failed') throw new Error(`The demo could not be read from Stripe: ${job.error}`);
    return job?.status === 'finished';
  });
}

function jobOf({ syncJobs }: StripeIntegration, type: SyncType) {
  return syncJobs.find((job) => job.type === type);
}
