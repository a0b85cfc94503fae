// A tenant connected to its own Stripe account at the emulator, with helpers to read both.
import { env, exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { StripeCustomer, StripeIntegration, SyncJob, SyncType } from '#contracts/console/stripe';
import { type CustomerTenant, customerTenant } from './customers.ts';
import { eventually } from './eventually.ts';
import { newStripeAccount, type StripeAccount, type StripeMode } from './stripe.ts';
import { newTenant, publishAll, type Tenant } from './tenants.ts';

export interface ConnectedTenant {
  readonly tenant: Tenant;
  readonly account: StripeAccount;
  readonly integration: StripeIntegration;
  /** Below /api/orgs/:orgId. */
  readonly path: string;
  read(): Promise<StripeIntegration>;
  /** Starts a sync and waits until it has ended. */
  sync(type?: SyncType): Promise<SyncJob>;
  /** New products at Stripe, by name, which grant the plans: those of new plans, that nobody has saved since. */
  sell<Name extends string>(plans: Readonly<Record<Name, string>>): Promise<Record<Name, StripeProduct>>;
  /** Hands over all that waits to be delivered, and waits until it has been worked on. */
  deliver(): Promise<number>;
}

export interface StripeProduct {
  readonly productId: string;
  readonly priceId: string;
}

export async function connectedTenant(
  options: { account?: StripeAccount; tenant?: Tenant; mode?: StripeMode; webhook?: boolean } = {},
): Promise<ConnectedTenant> {
  const { mode = 'test', webhook = true } = options;
  const [account, tenant] = await Promise.all([
    options.account ?? newStripeAccount(),
    options.tenant ?? newTenant(),
  ]);
  const { secretKey, liveSecretKey } = account.keys;
  const made = await tenant.make<StripeIntegration>('POST', '/integrations/stripe', {
    secretKey: mode === 'live' ? liveSecretKey : secretKey,
  });
  const path = `/integrations/stripe/${made.id}`;
  const read = () => tenant.make<StripeIntegration>('GET', path);
  const integration = webhook
    ? await tenant.make<StripeIntegration>('POST', `${path}/webhook`, { mode: 'automatic' })
    : made;
  const sync = async (type: SyncType = 'stripe-customer') => {
    const { id } = await tenant.make<SyncJob>('POST', `${path}/sync-jobs`, { type });
    return eventually(async () => {
      const job = (await read()).syncJobs.find((each) => each.id === id);
      expect(job?.status).not.toBe('running');
      return job as SyncJob;
    });
  };
  return {
    tenant,
    account,
    integration,
    path,
    read,
    sync,
    async sell<Name extends string>(plans: Readonly<Record<Name, string>>) {
      const names = Object.keys(plans) as Name[];
      const products = await Promise.all(names.map((name) => account.newProduct(name)));
      await sync('stripe-product');
      for (const [index, name] of names.entries()) {
        const { productId } = products[index]!;
        await tenant.make('PUT', `/plans/${plans[name]}/products`, {
          addProducts: [{ integrationId: integration.id, productId, version: 2 }],
        });
      }
      return Object.fromEntries(names.map((name, index) => [name, products[index]])) as Record<
        Name,
        StripeProduct
      >;
    },
    async deliver() {
      const count = await account.deliver((request) => exports.default.fetch(request), mode);
      await eventsAreDone(integration.id);
      return count;
    },
  };
}

export interface SellingTenant extends CustomerTenant {
  readonly connected: ConnectedTenant;
  /** What grants the plan Pro, and the plan Plus. */
  readonly pro: StripeProduct;
  readonly plus: StripeProduct;
}

/** A tenant with customers that sells both of its plans at Stripe. Isolates learn of products with the snapshot. */
export async function sellingTenant(): Promise<SellingTenant> {
  const own = await customerTenant();
  const connected = await connectedTenant({ tenant: own.tenant });
  const { Pro, Plus } = await connected.sell({ Pro: own.proId, Plus: own.plusId });
  await publishAll(own.tenant);
  return { ...own, connected, pro: Pro, plus: Plus };
}

/** Every event that was received has been worked on. */
export async function eventsAreDone(integrationId: string): Promise<void> {
  await eventually(async () => {
    const open = await env.DB.prepare(
      'SELECT count(*) AS total FROM stripe_event WHERE integration_id = ? AND done_at IS NULL',
    )
      .bind(integrationId)
      .first<{ total: number }>();
    expect(open?.total).toBe(0);
  });
}

/** All customers, page by page, as the console shows them. */
export async function listedCustomers(
  { tenant, path }: ConnectedTenant,
  query = '',
): Promise<StripeCustomer[]> {
  const all: StripeCustomer[] = [];
  let cursor: string | null = null;
  do {
    const search = new URLSearchParams({ ...(query ? { query } : {}), ...(cursor ? { cursor } : {}) });
    const page: { items: StripeCustomer[]; nextCursor: string | null } = await tenant.make(
      'GET',
      `${path}/customers?${search}`,
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

/** What Tessera must hold of every customer that is in Stripe, asked there. */
export async function customersAtStripe(account: StripeAccount, mode: StripeMode = 'test') {
  const all = new Map<string, unknown>();
  const list = account.client(mode).customers.list({ limit: 100, expand: ['data.subscriptions'] });
  for await (const { id, email, name, subscriptions } of list) {
    const subscribed = (subscriptions?.data ?? []).map((each) => ({
      id: each.id,
      status: each.status,
      productIds: [...new Set(each.items.data.map(({ price }) => String(price.product)))].sort(),
      items: each.items.data
        .map((item) => ({
          productId: String(item.price.product),
          priceId: item.price.id,
          quantity: item.quantity ?? null,
          periodStartAt: item.current_period_start * 1000,
          periodEndAt: item.current_period_end * 1000,
        }))
        .sort((one, other) =>
          `${one.productId} ${one.priceId}` < `${other.productId} ${other.priceId}` ? -1 : 1,
        ),
    }));
    subscribed.sort((one, other) => (one.id < other.id ? -1 : 1));
    all.set(id, { email: email?.toLowerCase() ?? null, name: name ?? null, subscriptions: subscribed });
  }
  return all;
}

/** Compares every customer. */
export async function expectSameAsStripe(connected: ConnectedTenant): Promise<void> {
  const listed = await listedCustomers(connected);
  const held = new Map(
    listed.map(({ id, email, name, subscriptions }) => [
      id,
      { email, name, subscriptions: subscriptions.map(({ isGranting: _, ...each }) => each) },
    ]),
  );
  expect(held).toEqual(await customersAtStripe(connected.account));
}
