// How long after a change in Stripe a check knows it. Stripe answers reads after 350 ms; BENCH_SUBSCRIBERS (50) customers of one
// account subscribe at once. Then that account does not answer in time, while customers of another organisation subscribe;
// at last it answers again, and what was held back is processed.
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { createDeployed, createOrganisation, createPlan } from '../../dev/workspace/build-workspace.ts';
import { connectStripe, linkProducts, waitForSync } from '../../dev/workspace/connect-stripe.ts';
import { readAnswer } from '../../dev/workspace/endpoint-caller.ts';
import { startBesideLoad, startServer, stopServers } from './bench-servers.ts';
import type { Child } from './child.ts';
import type { ProcessorUse } from './processor-time.ts';
import type { StripeAccountCreated, StripeOrder, StripeStarted } from './serve-stripe.ts';
import { printTable } from './table.ts';

const subscribers = Number(process.env.BENCH_SUBSCRIBERS ?? 50);
const quietSubscribers = 5;
const latencyMs = 350;
const slowMs = 30_000;
const pollMs = 250;
const patienceMs = 180_000;
/** Only reads of a customer are slow: the change itself is the start of the measurement. */
const onlyRequests = 'GET /v1/customers/';

export async function benchStripe(): Promise<void> {
  const stripe = startBesideLoad('serve-stripe.ts');
  const { url: stripeUrl } = await stripe.ask<StripeStarted>({ kind: 'start' } satisfies StripeOrder);
  const server = await startServer('stripe-sync', { vars: { STRIPE_API_BASE: stripeUrl } });
  const url = `http://127.0.0.1:${server.request.port}`;
  try {
    const session = await signInDemo(url);
    const connect = async (name: string) => {
      const order: StripeOrder = { kind: 'account', name };
      const account = await stripe.ask<StripeAccountCreated>(order);
      return Merchant.connect(account, stripeUrl, session, url, name);
    };
    const busy = await connect('Busy');
    const quiet = await connect('Quiet');
    await Promise.all([busy.addCustomers(2 * subscribers), quiet.addCustomers(2 * quietSubscribers)]);
    await Promise.all([busy.setReadsSlow(latencyMs), quiet.setReadsSlow(latencyMs)]);
    const rows: string[][] = [];
    const report = async (name: string, work: Promise<readonly number[]>) => {
      const before = [processorOf(server.child), processorOf(stripe)] as const;
      const times = (await work).toSorted((one, other) => one - other);
      const middle = times[Math.floor(times.length / 2)] ?? 0;
      const after = [processorOf(server.child), processorOf(stripe)] as const;
      const used = (index: 0 | 1, what: keyof ProcessorUse) =>
        seconds((after[index][what] - before[index][what]) * 1000);
      rows.push([
        ...[name, seconds(middle), seconds(times.at(-1) ?? 0)],
        ...[used(0, 'seconds'), used(0, 'waitedSeconds'), used(1, 'seconds')],
      ]);
    };
    await report(`${subscribers} customers, polled only`, busy.poll(subscribers));
    await report(`${subscribers} customers at once`, busy.subscribe(subscribers));
    await busy.setReadsSlow(slowMs);
    const held = busy.subscribe(subscribers);
    await sleep(1_000);
    await report('a quiet organisation beside a slow one', quiet.subscribeInTurn(quietSubscribers));
    await busy.setReadsSlow(latencyMs);
    const endedAt = performance.now();
    await report(
      'held back, after the trouble',
      held.then(() => [performance.now() - endedAt]),
    );
    console.log(`\nFrom a change in Stripe to a check that knows it; Stripe answers after ${latencyMs} ms\n`);
    printTable(['', 'p50 s', 'last s', 'server CPU s', 'waits for a core s', 'emulator CPU s'], rows);
    console.log(`\nReads of ${2 * subscribers} customers, created and subscribed: ${await busy.reads()}`);
  } finally {
    stopServers();
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(2);
const processorOf = (child: Child): ProcessorUse => child.processorUse() ?? { seconds: 0, waitedSeconds: 0 };

/** An organisation with its Stripe account in live mode, and a plan that its product grants. */
class Merchant {
  readonly #control: string;
  readonly #client: Stripe;
  readonly #url: string;
  readonly #secretKey: string;
  readonly #priceId: string;
  readonly #customers: string[] = [];

  private constructor(control: string, client: Stripe, url: string, secretKey: string, priceId: string) {
    this.#control = control;
    this.#client = client;
    this.#url = url;
    this.#secretKey = secretKey;
    this.#priceId = priceId;
  }

  static async connect(
    account: StripeAccountCreated,
    stripeUrl: string,
    session: ApiSession,
    url: string,
    name: string,
  ): Promise<Merchant> {
    const { hostname, port } = new URL(stripeUrl);
    const client = new Stripe(account.liveSecretKey, {
      protocol: 'http',
      host: hostname,
      port,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(),
    });
    const product = await client.products.create({
      name: 'Paid',
      default_price_data: { currency: 'gbp', unit_amount: 1000, recurring: { interval: 'month' } },
    });
    const workspace = await createOrganisation(session, name);
    const integrationId = await connectStripe(workspace, { secretKey: account.liveSecretKey });
    await waitForSync(workspace, integrationId, 'stripe-product');
    const plan = await createPlan(workspace, { name: 'Paid', slug: 'paid' });
    await linkProducts(workspace, plan, integrationId, [product.id]);
    const { secretKey } = await createDeployed(workspace, { name, type: 'live' });
    const control = `${stripeUrl}/_emulator/accounts/${account.accountId}`;
    return new Merchant(control, client, url, secretKey, String(product.default_price));
  }

  /** Waits until checks know each of them, so that their first event is not what is measured. */
  async addCustomers(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const { id } = await this.#client.customers.create({
        email: `customer-${index}@example.com`,
        payment_method: 'pm_card_visa',
        invoice_settings: { default_payment_method: 'pm_card_visa' },
      });
      this.#customers.push(id);
    }
    // One check first: it loads the environment.
    for (const id of this.#customers) await this.#plansOf(id);
  }

  async setReadsSlow(slowByMs: number): Promise<void> {
    await fetch(`${this.#control}/faults`, {
      method: 'PATCH',
      body: JSON.stringify({ slowByMs, onlyRequests }),
    });
  }

  /** Checks as often as `subscribe` does for two seconds, while nothing changes: the measurement's own cost. */
  async poll(count: number): Promise<number[]> {
    const until = performance.now() + 2_000;
    const poll = async (id: string) => {
      while (performance.now() < until) {
        await this.#plansOf(id);
        await sleep(pollMs);
      }
      return 2_000;
    };
    return Promise.all(this.#customers.slice(0, count).map(poll));
  }

  /** @returns for each customer the milliseconds until a check knew the subscription */
  subscribe(count: number): Promise<number[]> {
    return Promise.all(this.#customers.splice(0, count).map((id) => this.#subscribeOne(id)));
  }

  async subscribeInTurn(count: number): Promise<number[]> {
    const times: number[] = [];
    for (const id of this.#customers.splice(0, count)) times.push(await this.#subscribeOne(id));
    return times;
  }

  /** Reads of a customer so far. */
  async reads(): Promise<number> {
    const response = await fetch(`${this.#control}/requests`);
    const { counts } = await readAnswer<{ counts: Record<string, number> }>(response, 'GET');
    return counts['GET /v1/customers/:id'] ?? 0;
  }

  async #subscribeOne(customer: string): Promise<number> {
    const started = performance.now();
    await this.#client.subscriptions.create({ customer, items: [{ price: this.#priceId }] });
    await sleep(latencyMs); // No check can know it sooner, and polling costs the server time.
    await until(async () => (await this.#plansOf(customer)).includes('paid'));
    return performance.now() - started;
  }

  async #plansOf(userIdentifier: string): Promise<readonly string[]> {
    const response = await fetch(`${this.#url}/api/v1/access-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ userIdentifier }),
    });
    const answer = await readAnswer<{ customer: { plans: readonly string[] } }>(response, 'POST');
    return answer.customer.plans;
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('What was waited for did not happen');
    await sleep(pollMs);
  }
}
