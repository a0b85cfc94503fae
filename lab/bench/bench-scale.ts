// Costs that must not grow with use: 2,000 concurrent customers with few open files, and the cost of a check against the length
// of the usage history and the number of customers. BENCH_UPDATES (1,000,000) is the longest history.
import { parseApiKey } from '#engine/identity/api-key';
import { type BenchServer, putLoad, startServer, stopServers } from './bench-servers.ts';
import { reportRuns } from './report-runs.ts';
import { type Turn, takeTurns } from './take-turns.ts';
import { type BenchRequest, CUSTOMER_PLACE, type HistoryOrder } from './workers/messages.ts';

const connections = 16;
const newCustomers = 2_000;
const newCustomersSeconds = 20;
const openFiles = 1_024;
const histories = [...new Set([1, 1_000, Number(process.env.BENCH_UPDATES ?? 1_000_000)])];
const updatesPerRequest = 20_000;
const fewCustomers = 10;
const manyCustomers = 5_000;

export async function benchScale(): Promise<void> {
  await benchNewCustomers();
  await benchFlatCost();
}

/** @throws {Error} if an update is not counted, or all of them take too long */
async function benchNewCustomers(): Promise<void> {
  const { request } = await startServer('counter-update', { openFiles });
  const updates = await putLoad({ request, connections, customers: newCustomers });
  const checks = await putLoad({
    request: checkOf(request, `ada-${CUSTOMER_PLACE}@example.com`),
    connections,
    customers: newCustomers,
  });
  stopServers();
  const tookSeconds = updates.seconds + checks.seconds;
  console.log(
    `\n${newCustomers} new customers at ulimit -n ${openFiles}: ${updates.answers} counted in ${updates.seconds.toFixed(1)} s, ` +
      `${checks.answers} checked in ${checks.seconds.toFixed(1)} s, none failed (aim: ${newCustomersSeconds} s)`,
  );
  if (tookSeconds > newCustomersSeconds) throw new Error('The new customers took too long');
}

/** The baselines have processes of their own, by which processor time is told apart. */
async function benchFlatCost(): Promise<void> {
  const server = await startServer('counter-update', { bundle: 'many-updates' });
  const baseline = await startServer('counter-update', { bundle: 'many-updates' });
  const twin = await startServer('counter-update', { bundle: 'many-updates' });
  const [first = 1, ...longer] = histories;
  for (const updates of longer) await makeHistory(server.request, updates);
  for (const { request } of [baseline, twin]) await makeHistory(request, first);
  await putLoad({ request: countOf(server.request), connections, customers: manyCustomers });
  await putLoad({ request: countOf(baseline.request), connections, customers: fewCustomers });
  const checkTurn = (
    { child, request }: BenchServer,
    name: string,
    customer: string,
    title: string,
  ): Turn => ({
    name,
    title: `check ${title}`,
    connections,
    server: { child, request: checkOf(request, customer) },
  });
  const afterUpdates = (of: BenchServer, updates: number) =>
    checkTurn(of, String(updates), historian(updates), `after ${updates.toLocaleString('en-GB')} updates`);
  const ofCustomers = (of: BenchServer, name: string, customers: number): Turn => ({
    ...checkTurn(of, name, `ada-${CUSTOMER_PLACE}@example.com`, `of ${customers} customers in turn`),
    customers,
  });
  const start = afterUpdates(baseline, first);
  const measured = await takeTurns(
    [
      start,
      ...longer.map((updates) => afterUpdates(server, updates)),
      ofCustomers(baseline, 'few', fewCustomers),
      ofCustomers(server, 'many', manyCustomers),
    ],
    [
      ...longer.map((updates) => ({ one: String(updates), other: start.name, aim: 0.77 })),
      { one: 'many', other: 'few', aim: 0.77 },
    ],
    { child: twin.child, request: checkOf(twin.request, historian(first)) },
  );
  stopServers();
  reportRuns('The cost of a check with 5 meters', measured);
}

function historian(updates: number): string {
  return `ada-after-${updates}@example.com`;
}

function checkOf(request: BenchRequest, userIdentifier: string): BenchRequest {
  return { ...request, path: '/api/v1/access-checks', body: JSON.stringify({ userIdentifier }) };
}

/** Ten million plus the customer's number, so that all responses differ. */
function countOf(request: BenchRequest): BenchRequest {
  const body = JSON.parse(request.body) as object;
  return {
    ...request,
    body: JSON.stringify({ ...body, by: CUSTOMER_PLACE }).replace(
      `"${CUSTOMER_PLACE}"`,
      `1${CUSTOMER_PLACE}`,
    ),
  };
}

async function makeHistory({ port, headers }: BenchServer['request'], updates: number): Promise<void> {
  const key = headers.find(([name]) => name === 'Authorization')?.[1].replace('Bearer ', '') ?? '';
  const parsed = parseApiKey(key);
  if (!parsed.ok) throw new Error('The candidate is asked without a key');
  console.log(`Counting ${updates.toLocaleString('en-GB')} updates over 400 days for one customer ...`);
  for (let from = 0; from < updates; from += updatesPerRequest) {
    const order: HistoryOrder = {
      environmentId: parsed.environmentId,
      customer: historian(updates),
      from,
      to: Math.min(updates, from + updatesPerRequest),
      of: updates,
    };
    const body = JSON.stringify(order);
    const response = await fetch(`http://127.0.0.1:${port}/bench/history`, { method: 'POST', body });
    if (!response.ok) throw new Error(`The history could not be made: ${await response.text()}`);
  }
}
