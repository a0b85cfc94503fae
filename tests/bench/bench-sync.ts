// A first Stripe sync of many customers: requests to Stripe, customers stored per second, and the Worker's memory. Then a
// second sync without changes. BENCH_CUSTOMERS (100,000) sets the number of customers.
import { setTimeout as sleep } from 'node:timers/promises';
import { startStripeEmulator } from '@tessera/stripe-emulator/start-stripe-emulator';
import { type StripeIntegration, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import { createOrganisation } from '../../dev/workspace/build-workspace.ts';
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
  const account = stripe.control.createAccount({ name: 'Many customers' });
  const control = async (method: string, path: string, body?: unknown) => {
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${stripe.url}/_emulator/accounts/${account.accountId}${path}`, init);
    return readAnswer<{ counts: Record<string, number> }>(response, method);
  };
  await control('POST', '/customers?mode=test', { count: customers });
  const server = await startServer('stripe-sync', { vars: { STRIPE_API_BASE: stripe.url } });
  const memory = await IsolateMemory.open(server.request.inspectorPort ?? 0);
  const url = `http://127.0.0.1:${server.request.port}`;
  try {
    const session = await signInDemo(url);
    const { orgId } = await createOrganisation(session, 'Many customers');
    const { id } = await session.call(stripeIntegrationEndpoints.create, {
      params: { orgId },
      body: { secretKey: account.secretKey },
    });
    const rows: string[][] = [];
    for (const [name, rowsPerCustomer] of [
      ['first sync', rowsPerNewCustomer],
      ['again, nothing new', 0],
    ] as const) {
      await control('DELETE', '/requests');
      const started = performance.now();
      const samples = await runSync(session, { orgId, integrationId: id }, memory);
      const seconds = (performance.now() - started) / 1000;
      const { counts } = await control('GET', '/requests');
      const requests = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (requests > customers / pageSize + maxOthers) throw new Error(`${requests} requests were made`);
      rows.push([
        name,
        requests.toLocaleString('en-GB'),
        seconds.toFixed(1),
        Math.round(customers / seconds).toLocaleString('en-GB'),
        Math.round((customers * rowsPerCustomer) / seconds).toLocaleString('en-GB'),
        ...[1, 2, 3].map((third) => leastMemory(samples, third)),
      ]);
    }
    console.log(`\nA sync of ${customers.toLocaleString('en-GB')} customers\n`);
    const thirds = ['least MB in 1st third', '2nd', '3rd'];
    const heads = ['', 'requests to Stripe', 'seconds', 'customers/s', 'D1 rows written/s', ...thirds];
    printTable(heads, rows);
  } finally {
    memory.close();
    stopServers();
    await stripe.stop();
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
