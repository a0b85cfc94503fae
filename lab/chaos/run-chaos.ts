// `npm run chaos`: clients check, count, enforce, consume and release while everything around them fails, half of them with the package;
// at the end what they were told is compared with what is stored. A run that finds differences leaves what happened, an operation or a disturbance in
// each line, and the server's log in .wrangler/chaos/<seed>.
//
//   npm run chaos -- --minutes 5 --seed 42
//
// Options: --minutes (5), --seed (random; printed), --clients (8), --customers (40), --only (names of disturbances, comma-separated).
// The seed repeats the choices of clients and faults; the operating system still decides how they interleave. Exit status 1 when
// anything differs.

import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccessCheckAnswer } from '#contracts/public/access';
import { randomFrom } from '#lab/fixtures/seeded-random';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import { readOptions } from '../../dev/tools/read-options.ts';
import { callAt } from './call-at.ts';
import { ChaosServer } from './chaos-server.ts';
import { operateRaw, runClient } from './clients.ts';
import { type Clock, Disturbances } from './disturbances.ts';
import { History } from './history.ts';
import { endReplacements, newPair, operateOnPair } from './joins.ts';
import { loadSdk, SdkClient } from './sdk-clients.ts';
import { startStripe, subscribe } from './stripe-control.ts';
import { verify } from './verify.ts';
import { NO_FAULTS } from './workers/worker-faults.ts';
import { CAP, monthStart, PAID_PLAN, PLACES, type Place, setUpWorkspace } from './workspace.ts';

const { values } = readOptions('chaos', {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  clients: { type: 'string', default: '8' },
  customers: { type: 'string', default: '40' },
  only: { type: 'string' },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const random = randomFrom(seed);

/** Two days before the end of this month, or of the next, so that the run passes into another one. */
function startOfClock(): number {
  const now = Date.now();
  const ahead = [1, 2].map((months) => monthStart(now, months) - 2 * 86_400_000 - now);
  return ahead.find((ms) => ms >= 0) ?? 0;
}

/** Of which the last ones are created by API, too. */
const STRIPE_CUSTOMERS = 10;
const PAIRS = 8;
/** Of which the Stripe customer is deleted and created again. */
const REPLACED = 4;

let disturbances: Disturbances | null = null;
const folder = resolve(import.meta.dirname, '../../.wrangler/chaos', String(seed));
const history = new History(folder);

console.log(`Chaos: ${minutes} minutes, seed ${seed}`);
const aheadMs = startOfClock();
const clock: Clock = { aheadMs, clientsAheadMs: aheadMs };
const stripe = await startStripe(STRIPE_CUSTOMERS + PAIRS, () => Date.now() + clock.aheadMs);
const server = await ChaosServer.start(stripe.url, { ...NO_FAULTS, seed, clockAheadMs: clock.aheadMs });
try {
  const workspace = await setUpWorkspace(server.url, stripe);
  const [subscriber = '', ...changing] = stripe.customerIds;
  await subscribe(stripe, subscriber);
  for (const place of PLACES) await waitUntilServed(workspace.secretKey, place, subscriber);
  for (const [index, id] of stripe.customerIds.slice(0, STRIPE_CUSTOMERS).entries()) {
    history.add([id, `chaos-${index}@customers.example`], id === subscriber ? [PAID_PLAN] : []);
  }
  for (const [index, id] of stripe.customerIds.slice(STRIPE_CUSTOMERS).entries()) {
    await createCustomer(workspace.secretKey, `joined-${index}`);
    history.pairs.push(newPair(`joined-${index}`, id, index < REPLACED));
  }
  for (let index = STRIPE_CUSTOMERS; index < Number(values.customers); index += 1) {
    const identifier = `customer-${index}`;
    await createCustomer(workspace.secretKey, identifier);
    history.add([identifier], []);
  }
  const session = await signInDemo(server.url);
  const buying = stripe.customerIds.slice(0, STRIPE_CUSTOMERS);
  disturbances = new Disturbances({ server, stripe, changing, buying, history, session, workspace, clock });
  const { clientState } = disturbances;
  const options = { baseUrl: server.url, workspace, history, session };
  const create = await loadSdk(() => Date.now() + clock.clientsAheadMs);
  const applications = Array.from(
    { length: Math.floor(Number(values.clients) / 2) },
    () => new SdkClient(create, options, clientState),
  );
  const clients = Array.from({ length: Number(values.clients) }, (_, index) =>
    runClient(options, random.fork(), clientState, applications[index]?.operate ?? operateRaw),
  );
  clients.push(runClient(options, random.fork(), clientState, operateOnPair));
  await disturbances.cause(minutes, random.fork(), values.only?.split(','));
  clientState.isStopped = true;
  await Promise.all(clients);
  await disturbances.heal(seed);
  await endReplacements(history.pairs);
  await Promise.all(applications.map((application) => application.finish()));

  const letTimePass = async () => {
    await disturbances?.advance(61_000);
    await server.runSchedule();
  };
  const differences = await verify({
    ...{ baseUrl: server.url, session, workspace, history, random, stripe, letTimePass },
  });
  const { ledgersWoken } = await disturbances.observe();
  const countedBySdk = applications.reduce((sum, application) => sum + application.counted, 0);
  const replaced = history.pairs.reduce((sum, { formerIds }) => sum + (formerIds?.length ?? 0), 0);
  const counted = history.all().reduce((sum, customer) => sum + customer.counted.length, 0);
  console.log(
    `${history.operations} operations (${history.checks} checks, ${counted} counted updates, ${history.unknown} without an answer, ${countedBySdk} updates by the package), ` +
      `${replaced} Stripe customers replaced, ${history.payments} one-time payments, ${history.rolledOver} customers with what rolled over, ` +
      `${server.kills} kills, ${server.runnerKills} of the workflow runner, ${ledgersWoken} ledgers woken since the last kill, ` +
      `${differences.length} differences, seed ${seed}`,
  );
  const exceeded = history.all().filter(({ capped }) => capped.min > CAP).length;
  console.log(
    `${exceeded} customers exceeded a limit because updates fell back to another location (expected)`,
  );
  for (const difference of differences.slice(0, 40)) console.log(`- ${difference}`);
  process.exitCode = differences.length === 0 ? 0 : 1;
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  if (disturbances !== null) disturbances.clientState.isStopped = true;
  const isRed = process.exitCode === 1;
  await server.stop(isRed ? join(folder, 'server.log') : null);
  if (isRed) console.log(`What happened, and the server's log: ${folder}`);
  else history.discard();
  await stripe.stop();
}

/** The first deploy and the first subscription may take some seconds to reach a data location. */
async function waitUntilServed(secretKey: string, place: Place, subscriber: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const from = { baseUrl: server.url, secretKey, place };
    const response = await callAt(from, 'access-checks', { userIdentifier: subscriber });
    const answer = (await response.json()) as Partial<AccessCheckAnswer>;
    if (response.ok && answer.customer?.plans.includes(PAID_PLAN)) return;
    await sleep(200);
  }
  throw new Error('The environment was not served in time');
}

async function createCustomer(secretKey: string, identifier: string): Promise<void> {
  const from = { baseUrl: server.url, secretKey, place: PLACES[0] };
  const response = await callAt(from, `customers/${identifier}`, {}, { method: 'PUT' });
  if (!response.ok) throw new Error(`${identifier} could not be created: ${await response.text()}`);
}
