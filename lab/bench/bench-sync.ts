// A first Stripe sync of many customers: requests to Stripe, customers stored per second, and the Worker's memory. Then a second sync
// without changes, and one of customers with subscriptions; for these, how long it takes to say what a deployment would change.
// BENCH_CUSTOMERS (100,000) sets the number of customers.
import { setTimeout as sleep } from 'node:timers/promises';
import { startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import Stripe from 'stripe';
import { featureEndpoints } from '#contracts/console/features';
import { impactEndpoints } from '#contracts/console/impact';
import { planEndpoints } from '#contracts/console/plans';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import {
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
  planProperties,
  setPlanValues,
  type Workspace,
} from '../../dev/workspace/build-workspace.ts';
import { linkProducts, waitForSync } from '../../dev/workspace/connect-stripe.ts';
import { readAnswer } from '../../dev/workspace/endpoint-caller.ts';
import { startServer, stopServers } from './bench-servers.ts';
import { IsolateMemory } from './isolate-memory.ts';
import { printTable } from './table.ts';

const customers = Number(process.env.BENCH_CUSTOMERS ?? 100_000);
const pageSize = 100;
/** Rows written per customer as D1 counts them: a new customer, and its entries in four indexes (asserted by tests/worker/integrations/stripe/stripe-sync.test.ts). */
const rowsPerNewCustomer = 5;
/** Requests that one job may make besides pages. */
const maxOthers = 5;

interface Sample {
  readonly processed: number;
  /** Memory of the Worker's isolate in MB. */
  readonly megabytes: number;
}

/** @throws {Error} if a customer is missing, or there are more requests than pages and a few */
export async function benchSync(): Promise<void> {
  const stripe = await startStripeEmulator({ sendsWebhooks: false });
  const server = await startServer('stripe-sync', { vars: { STRIPE_API_BASE: stripe.url } });
  const memory = await IsolateMemory.open(server.request.inspectorPort ?? 0);
  try {
    const session = await signInDemo(`http://127.0.0.1:${server.request.port}`);
    const rows: string[][] = [];
    const bare = await Merchant.start(stripe, session, memory, { withItems: false });
    rows.push(await bare.sync('first sync', rowsPerNewCustomer));
    rows.push(await bare.sync('again, nothing new', 0));
    const selling = await Merchant.start(stripe, session, memory, { withItems: true });
    rows.push(await selling.sync('first sync, each with a subscription', rowsPerNewCustomer));
    console.log(`\nA sync of ${customers.toLocaleString('en-GB')} customers\n`);
    const thirds = ['least MB in 1st third', '2nd', '3rd'];
    const heads = ['', 'requests to Stripe', 'seconds', 'customers/s', 'D1 rows written/s', ...thirds];
    printTable(heads, rows);
    console.log(`\nWhat a deployment would change for these customers\n`);
    printTable(['', 'customers', 'seconds'], await selling.compareVersions());
  } finally {
    memory.close();
    stopServers();
    await stripe.stop();
  }
}

/** An organisation whose Stripe account has many customers. */
class Merchant {
  readonly #control: Control;
  readonly #workspace: Workspace<ApiSession>;
  readonly #integrationId: string;
  readonly #memory: IsolateMemory;

  private constructor(
    control: Control,
    workspace: Workspace<ApiSession>,
    integrationId: string,
    memory: IsolateMemory,
  ) {
    this.#control = control;
    this.#workspace = workspace;
    this.#integrationId = integrationId;
    this.#memory = memory;
  }

  /** @param withItems half of the customers subscribe to each of two products */
  static async start(
    stripe: Awaited<ReturnType<typeof startStripeEmulator>>,
    session: ApiSession,
    memory: IsolateMemory,
    { withItems }: { readonly withItems: boolean },
  ): Promise<Merchant> {
    const account = stripe.control.createAccount({ name: withItems ? 'Selling' : 'Bare' });
    const control: Control = async (method, path, body) => {
      const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`${stripe.url}/_emulator/accounts/${account.accountId}${path}`, init);
      return readAnswer<Counts>(response, method);
    };
    const products = withItems ? await addProducts(stripe.url, account.secretKey) : [];
    await control('POST', '/customers?mode=test', {
      count: customers,
      prices: products.map(({ price }) => price),
    });
    const workspace = await createOrganisation(session, withItems ? 'Selling' : 'Bare');
    const { id } = await session.call(stripeIntegrationEndpoints.create, {
      params: { orgId: workspace.orgId },
      body: { secretKey: account.secretKey },
    });
    if (withItems)
      await sellPlans(
        workspace,
        id,
        products.map(({ product }) => product),
      );
    return new Merchant(control, workspace, id, memory);
  }

  async sync(name: string, rowsPerCustomer: number): Promise<string[]> {
    const { session, orgId } = this.#workspace;
    await this.#control('DELETE', '/requests');
    const started = performance.now();
    const samples = await runSync(session, { orgId, integrationId: this.#integrationId }, this.#memory);
    const seconds = (performance.now() - started) / 1000;
    const { counts } = await this.#control('GET', '/requests');
    const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (requests > customers / pageSize + maxOthers) throw new Error(`${requests} requests were made`);
    return [
      name,
      requests.toLocaleString('en-GB'),
      seconds.toFixed(1),
      Math.round(customers / seconds).toLocaleString('en-GB'),
      Math.round((customers * rowsPerCustomer) / seconds).toLocaleString('en-GB'),
      ...[1, 2, 3].map((third) => leastMemory(samples, third)),
    ];
  }

  /** Half of the customers get more seats by the workspace than by the version that is deployed. */
  async compareVersions(): Promise<string[][]> {
    const { session, orgId } = this.#workspace;
    const { envId } = await createDeployed(this.#workspace, { name: 'Staging', type: 'test' });
    const [plan] = await session.call(planEndpoints.list, { params: { orgId } });
    const features = await session.call(featureEndpoints.list, { params: { orgId } });
    if (plan === undefined) throw new Error('There is no plan');
    await setPlanValues(this.#workspace, plan, planProperties(features, { team: { seats: 9 } }));
    const rows: string[][] = [];
    for (const name of ['first comparison', 'again', 'again']) {
      const started = performance.now();
      const impact = await session.call(impactEndpoints.read, { params: { orgId, envId } });
      const seconds = (performance.now() - started) / 1000;
      if (impact.customers < customers || impact.customersWithMore !== customers / 2) {
        throw new Error(`Compared otherwise: ${JSON.stringify({ ...impact, changes: [] })}`);
      }
      rows.push([name, impact.customers.toLocaleString('en-GB'), seconds.toFixed(2)]);
    }
    return rows;
  }
}

type Control = (method: string, path: string, body?: unknown) => Promise<Counts>;

interface Counts {
  readonly counts: Record<string, number>;
}

interface Sold {
  readonly product: string;
  readonly price: string;
}

async function addProducts(url: string, secretKey: string): Promise<Sold[]> {
  const { hostname, port } = new URL(url);
  const stripe = new Stripe(secretKey, { host: hostname, port, protocol: 'http' });
  return Promise.all(
    ['Team', 'Business'].map(async (name) => {
      const { id: product } = await stripe.products.create({ name });
      const recurring = { interval: 'month' } as const;
      const made = { product, currency: 'gbp', unit_amount: 1_000, recurring };
      return { product, price: (await stripe.prices.create(made)).id };
    }),
  );
}

async function sellPlans(
  workspace: Workspace<ApiSession>,
  integrationId: string,
  products: readonly string[],
): Promise<void> {
  const { session, orgId } = workspace;
  const params = { orgId, integrationId };
  await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type: 'stripe-product' } });
  await waitForSync(workspace, integrationId, 'stripe-product');
  const seats = { name: 'Seats', propertyKey: 'seats', type: 'number', value: 1 } as const;
  const feature = await createFeature(workspace, { name: 'Team', slug: 'team', properties: [seats] });
  for (const [index, product] of products.entries()) {
    const plan = await createPlan(workspace, { name: `Plan ${index}`, slug: `plan-${index}` });
    await linkProducts(workspace, plan, integrationId, [product]);
    const values = planProperties([feature], { team: { seats: 5 } });
    await setPlanValues(workspace, plan, values);
  }
}

type Params = { readonly orgId: string; readonly integrationId: string };

async function runSync(session: ApiSession, params: Params, memory: IsolateMemory): Promise<Sample[]> {
  const { id } = await session.call(stripeIntegrationEndpoints.startSync, {
    params,
    body: { type: 'stripe-customer' },
  });
  const samples: Sample[] = [];
  for (;;) {
    await sleep(300);
    const integration: StripeIntegration = await session.call(stripeIntegrationEndpoints.get, { params });
    const job = integration.syncJobs.find((each) => each.id === id);
    samples.push({ processed: job?.processed ?? 0, megabytes: await memory.read() });
    if (job?.status === 'running') continue;
    if (job?.status === 'finished' && integration.customerCount === customers) return samples;
    throw new Error(
      `The sync ended otherwise: ${JSON.stringify({ ...job, count: integration.customerCount })}`,
    );
  }
}

/** After a third of the customers: an upper bound for live memory, without garbage. */
function leastMemory(samples: readonly Sample[], third: number): string {
  const within = samples.filter(({ processed }) => Math.ceil((3 * processed) / customers) === third);
  return Math.min(...within.map(({ megabytes }) => megabytes)).toFixed(1);
}
