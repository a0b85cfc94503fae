/** What stays with whom once a call takes back which Stripe customers a created customer is: read before it does. */
import type { ChangeMade } from '#contracts/public/customers';
import { Refusal } from '#worker/http/api-error';
import { readSources } from '../names/join-customer.ts';
import { readBothUsages } from '../page/read-source-usage.ts';
import type { Provisioning } from './open-provisioning.ts';

/** @param customer canonical */
export async function readLeft(
  { ctx, scope, environmentId }: Provisioning,
  customer: string,
): Promise<NonNullable<ChangeMade['separated']>> {
  const sources = await readSources(ctx, environmentId, customer);
  return Promise.all(
    sources.map(async ({ integrationId, customerId }) => {
      const meters = await readBothUsages(ctx, scope, customer, environmentId, customerId).catch(
        (error: unknown) => {
          if (error instanceof Refusal) return null;
          throw error;
        },
      );
      const amounts = meters?.map(({ of: { feature, property }, used, stripeUsed }) => ({
        feature: feature.slug,
        property: property.key,
        used,
        stripeUsed,
      }));
      return { integrationId, customerId, meters: amounts ?? null };
    }),
  );
}
