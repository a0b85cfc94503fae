// Connects the demo organisation to the Stripe account of its company, as the console's guide does: the key, the webhook,
// both syncs. These run on the queues meanwhile; whoever needs what they read waits for it.
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/stripe';
import { type Workspace, waitUntil } from './workspace.ts';

/** Products first: plans are linked to them soon. */
const SYNCS: readonly SyncType[] = ['stripe-product', 'stripe-customer'];

/** Answers the integration's id. */
export async function ensureStripe({ session, orgId }: Workspace, secretKey: string): Promise<string> {
  const [standing] = await session.call(stripeIntegrationEndpoints.list, { params: { orgId } });
  const integration =
    standing ??
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

/** @throws {Error} when the sync failed, or does not end. */
export async function waitForSync(
  { session, orgId }: Workspace,
  integrationId: string,
  type: SyncType,
): Promise<void> {
  const params = { orgId, integrationId };
  await waitUntil(`the sync with Stripe (${type}) does not end`, async () => {
    const job = jobOf(await session.call(stripeIntegrationEndpoints.get, { params }), type);
    if (job?.status === 'failed') throw new Error(`The demo could not be read from Stripe: ${job.error}`);
    return job?.status === 'finished';
  });
}

function jobOf({ syncJobs }: StripeIntegration, type: SyncType) {
  return syncJobs.find((job) => job.type === type);
}
