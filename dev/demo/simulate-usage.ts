// Simulates usage of the demo organisation's product: counter updates and one access check per customer, through the public
// API.
import { accessEndpoints } from '#contracts/public/access';
import { meteringEndpoints } from '#contracts/public/metering';
import { callPublicApi } from '../workspace/call-public-api.ts';
import type { DemoCustomer } from './demo-customers.ts';

/** Idempotent within a day, by idempotency keys. */
export async function simulateUsage(
  baseUrl: string,
  secretKey: string,
  customers: readonly DemoCustomer[],
): Promise<void> {
  await Promise.all(customers.map((customer) => simulateCustomer(baseUrl, secretKey, customer)));
}

async function simulateCustomer(baseUrl: string, secretKey: string, customer: DemoCustomer): Promise<void> {
  const { email: userIdentifier, used, seats } = customer;
  const { path } = meteringEndpoints.update;
  for (const each of used) {
    const idempotencyKey = `demo ${userIdentifier} ${each.property}`;
    await callPublicApi(baseUrl, secretKey, path, { userIdentifier, ...each, idempotencyKey });
  }
  for (const resourceId of seats) {
    const seat = { feature: 'team-seats', property: 'seats', resourceId };
    await callPublicApi(baseUrl, secretKey, path, { userIdentifier, ...seat });
  }
  await callPublicApi(baseUrl, secretKey, accessEndpoints.check.path, { userIdentifier });
}
