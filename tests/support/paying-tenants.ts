// A tenant with customers on plans from Stripe, in one test-mode and one live-mode account.
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { CustomerEntitlements } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { StoredSubscription } from '#contracts/console/stripe';
import { shardOf } from '#engine/ledger/shard-of';
import { ledgerAt } from '#objects/stubs';
import { check } from './access-checks.ts';
import { type CustomerTenant, customerTenant } from './customers.ts';
import { eventually } from './eventually.ts';
import { connectAccount, putCustomer, type SeededCustomer, someCustomerId } from './stripe-customers.ts';
import { storedProduct } from './stripe-rows.ts';
import { publishAll } from './tenants.ts';

export interface PayingTenant extends CustomerTenant {
  readonly testAccount: string;
  readonly liveAccount: string;
  /** A secret key of a live environment. */
  readonly liveSecret: string;
  /** A customer of the account of test mode, unless another is said. */
  someone(subscriptions?: readonly StoredSubscription[], more?: Partial<SeededCustomer>): Promise<Someone>;
  /** What a check answers of the customer. */
  plansOf(userIdentifier: string, secret?: string): Promise<{ isCustomer: boolean; plans: string[] }>;
}

export interface Someone {
  readonly id: string;
  readonly email: string;
  put(change: Partial<SeededCustomer>, isTold?: boolean): Promise<void>;
}

export const NOBODY = { isCustomer: false, plans: [] };
export const withPlans = (...plans: string[]) => ({ isCustomer: true, plans });

/** A counter update of the files of the customer tenant's workspaces. */
export const ofFiles = (userIdentifier: string, more: object = {}) => ({
  userIdentifier,
  feature: 'workspaces',
  property: 'files',
  ...more,
});

let serial = 0;
export function someAddress(): string {
  serial += 1;
  return `payer-${serial}@tests.example`;
}

/** prod_pro and prod_plus of both accounts grant the plans Pro (50 seats, 100 files) and Plus (5 seats). */
export async function payingTenant(): Promise<PayingTenant> {
  const made = await customerTenant();
  const { tenant, proId, plusId, secret } = made;
  const testAccount = await connectAccount(tenant);
  const liveAccount = await connectAccount(tenant, true);
  for (const [planId, productId] of [
    [proId, 'prod_pro'],
    [plusId, 'prod_plus'],
  ] as const) {
    const addProducts = [];
    for (const account of [testAccount, liveAccount]) {
      addProducts.push({ ...(await storedProduct(tenant, account, productId)), version: 2 });
    }
    await tenant.make('PUT', `/plans/${planId}/products`, { addProducts });
  }
  const version = await tenant.make<Artifact>('POST', '/artifacts', {});
  const live = await tenant.make<Environment>('POST', '/environments', { name: 'Shop', type: 'live' });
  await tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
  const liveSecret = (await tenant.key(live.id)).value;
  await publishAll(tenant);
  const plansOf: PayingTenant['plansOf'] = async (userIdentifier, key = secret) =>
    (await check(key, { userIdentifier })).customer;

  // The accounts reach isolates with the snapshot.
  const first = someCustomerId();
  await putCustomer(tenant, { integrationId: liveAccount, id: first, livemode: true });
  for (const key of [secret, liveSecret]) {
    await eventually(async () => expect((await plansOf(first, key)).isCustomer).toBe(true));
  }
  return {
    ...made,
    testAccount,
    liveAccount,
    liveSecret,
    plansOf,
    async someone(subscriptions = [], more = {}) {
      const id = someCustomerId();
      const email = more.email ?? someAddress();
      const basis = { integrationId: testAccount, id };
      await putCustomer(tenant, { ...basis, subscriptions, ...more, email });
      return {
        id,
        email,
        put: (change, isTold) => putCustomer(tenant, { ...basis, ...more, email, ...change }, isTold),
      };
    },
  };
}

/** What the console shows of the customer in the preview environment. */
export function standingOf(own: PayingTenant, name: string): Promise<CustomerEntitlements> {
  return own.tenant.make('GET', own.path(name, `/environments/${own.previewId}`));
}

/** The customer's ledger of the preview environment, in the organisation's home. */
export async function ledgerOf(own: Pick<PayingTenant, 'previewId'>, who: string) {
  const row = await env.DB.prepare(
    'SELECT o.data_locations AS locations, e.ledger_shards AS shards FROM environment e JOIN organization o ON o.id = e.org_id WHERE e.id = ?',
  )
    .bind(own.previewId)
    .first<{ locations: string; shards: number }>();
  const [location] = JSON.parse(row!.locations);
  return ledgerAt(env, { environmentId: own.previewId, location, shard: shardOf(who, row!.shards) });
}
