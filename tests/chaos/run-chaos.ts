// `npm run chaos`: clients check, count, enforce, consume and release while everything around them fails; at the end what
// they were told is compared with what is stored.
//
//   npm run chaos -- --minutes 5 --seed 42
//
// Options: --minutes (5), --seed (random; printed), --clients (8), --customers (40). The seed repeats the choices of clients
// and faults; the operating system still decides how they interleave. Exit status 1 when anything differs.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import { ChaosServer } from './chaos-server.ts';
import { runClient } from './clients.ts';
import { History } from './history.ts';
import { changeSubscription, startStripe } from './stripe-control.ts';
import { verify } from './verify.ts';
import { type Random, randomFrom } from './workers/random.ts';
import { NO_FAULTS } from './workers/worker-faults.ts';
import { CAP, PLACES, setUpWorkspace } from './workspace.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    clients: { type: 'string', default: '8' },
    customers: { type: 'string', default: '40' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const random = randomFrom(seed);

/** Two days before the end of this month, so that the run passes into the next one. */
function startOfClock(): number {
  const now = new Date();
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.max(0, nextMonth - 2 * 86_400_000 - now.getTime());
}

let clockAheadMs = startOfClock();
let hasPassedMonth = false;
const state = { isStopped: false, isPaused: false, inFlight: 0 };
const history = new History();

console.log(`Chaos: ${minutes} minutes, seed ${seed}`);
const stripe = await startStripe(10, () => Date.now() + clockAheadMs);
const server = await ChaosServer.start(stripe.url, { ...NO_FAULTS, seed, clockAheadMs });
try {
  const workspace = await setUpWorkspace(server.url, stripe);
  await waitUntilServed(server.url, workspace.secretKey);
  for (const [index, id] of stripe.customerIds.entries()) {
    history.add([id, `chaos-${index}@customers.example`]);
  }
  for (let index = stripe.customerIds.length; index < Number(values.customers); index += 1) {
    history.add([`customer-${index}`]);
  }
  const clients = Array.from({ length: Number(values.clients) }, () =>
    runClient({ baseUrl: server.url, workspace, history }, random.fork(), state),
  );
  await causeTrouble(Date.now() + minutes * 60_000, random.fork());
  state.isStopped = true;
  await Promise.all(clients);
  await heal();

  const session = await signInDemo(server.url);
  const letTimePass = async () => {
    clockAheadMs += 61_000;
    await server.setFaults({ clockAheadMs });
    await server.runSchedule();
  };
  const differences = await verify({ baseUrl: server.url, session, workspace, history, stripe, letTimePass });
  const counted = history.all().reduce((sum, customer) => sum + customer.counted.length, 0);
  console.log(
    `${history.operations} operations (${history.checks} checks, ${counted} counted updates, ${history.unknown} without an answer), ` +
      `${server.kills} kills, ${server.runnerKills} of the workflow runner, ${differences.length} differences, seed ${seed}`,
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
  state.isStopped = true;
  await server.stop({ keepsLog: process.exitCode === 1 });
  if (process.exitCode === 1) console.log(`The server's log: ${server.logPath}`);
  await stripe.stop();
}

/** One disturbance after the other, each undone before the next, until the time is up. */
async function causeTrouble(until: number, choices: Random): Promise<void> {
  const disturbances = [
    killServer,
    killServer,
    killRunner,
    loseCalls,
    disturbQueues,
    cutLocation,
    silence,
    disturbDatabase,
    disturbStripe,
    disturbWebhooks,
    advanceMinutes,
    passMonth,
  ];
  // A restart would end what an object in memory waits for in vain: the last third of the time has none.
  const killUntil = until - minutes * 20_000;
  let scheduledAt = Date.now();
  while (Date.now() < until) {
    for (const disturb of choices.shuffle(disturbances)) {
      if (Date.now() >= until) break;
      if (disturb === killServer && Date.now() >= killUntil) continue;
      await disturb(choices);
      // Once a minute, as in production: what a disturbance has held up goes on without the schedule.
      if (Date.now() - scheduledAt < 60_000) continue;
      scheduledAt = Date.now();
      await server.runSchedule().catch(() => undefined);
    }
  }
}

async function killServer(choices: Random): Promise<void> {
  await sleep(choices.upTo(3_000));
  await server.killAndRestart();
  await sleep(2_000);
}

async function killRunner(choices: Random): Promise<void> {
  for (let count = 1 + choices.upTo(2); count > 0; count -= 1) {
    await sleep(choices.upTo(1_500));
    await server.killRunner();
  }
}

async function loseCalls(choices: Random): Promise<void> {
  const rate = 0.02 + choices.next() * 0.08;
  await server.setFaults({ callFails: rate, answerLost: rate, callDoubled: rate, callDelayed: rate * 2 });
  await withSubscriptions(choices, 6_000);
  await server.setFaults({ callFails: 0, answerLost: 0, callDoubled: 0, callDelayed: 0 });
}

async function disturbQueues(choices: Random): Promise<void> {
  await server.setFaults({
    messageDropped: 0.2,
    messageDoubled: 0.3,
    messageDelayed: 0.3,
    batchReordered: 0.5,
  });
  await withSubscriptions(choices, 6_000);
  await server.setFaults({ messageDropped: 0, messageDoubled: 0, messageDelayed: 0, batchReordered: 0 });
}

async function cutLocation(choices: Random): Promise<void> {
  const cut = choices.pick(PLACES).location;
  const isCutSilent = choices.next() < 0.5;
  await server.setFaults({ cutLocations: [cut], isCutFromWorker: choices.next() < 0.3, isCutSilent });
  await sleep(4_000 + choices.upTo(6_000));
  await server.setFaults({ cutLocations: [], isCutFromWorker: false, isCutSilent: false });
}

/** Objects that never answer, or have too many calls. */
async function silence(choices: Random): Promise<void> {
  await server.setFaults({ callSilent: 0.05, callOverloaded: 0.02 });
  await withSubscriptions(choices, 6_000);
  await server.setFaults({ callSilent: 0, callOverloaded: 0 });
}

async function disturbDatabase(choices: Random): Promise<void> {
  await server.setFaults(
    choices.pick([{ databaseSilent: 0.3 }, { databaseOverloaded: 0.3 }, { databaseSilent: 1 }]),
  );
  await withSubscriptions(choices, 6_000);
  await server.setFaults({ databaseSilent: 0, databaseOverloaded: 0 });
}

async function disturbStripe(choices: Random): Promise<void> {
  await stripe.setFaults(
    choices.pick([
      { failNext: 20 },
      { refuseNext: 20 },
      { loseAnswers: 10 },
      { slowByMs: 1_500 },
      { isDown: true },
    ]),
  );
  await withSubscriptions(choices, 5_000);
  await stripe.clearFaults();
}

async function disturbWebhooks(choices: Random): Promise<void> {
  await stripe.setFaults({
    webhooks: {
      dropNext: choices.upTo(4),
      duplicateNext: choices.upTo(4),
      reverseNext: choices.upTo(4),
      delayMs: choices.upTo(2_000),
    },
  });
  await withSubscriptions(choices, 5_000);
  await stripe.clearFaults();
}

/** Customers subscribe and cancel meanwhile. */
async function withSubscriptions(choices: Random, ms: number): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    // The same faults may meet this call; what became of it is read from Stripe at the end.
    await changeSubscription(stripe, choices.pick(stripe.customerIds), choices).catch(() => undefined);
    await sleep(200 + choices.upTo(600));
  }
}

async function advanceMinutes(choices: Random): Promise<void> {
  clockAheadMs += 60_000 * (1 + choices.upTo(90));
  await server.setFaults({ clockAheadMs });
  await sleep(2_000);
}

/** Once in a run: with nothing in flight, since a key is remembered for a day and the history counts by month. */
async function passMonth(): Promise<void> {
  if (hasPassedMonth) return;
  hasPassedMonth = true;
  state.isPaused = true;
  while (state.inFlight > 0) await sleep(50);
  const now = new Date(Date.now() + clockAheadMs);
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  clockAheadMs += nextMonth - now.getTime() + 5_000;
  await server.setFaults({ clockAheadMs });
  history.startMonth();
  state.isPaused = false;
}

async function heal(): Promise<void> {
  await stripe.clearFaults();
  await server.setFaults({ ...NO_FAULTS, seed, clockAheadMs });
  await stripe.resendDropped();
}

/** The first deploy may take some seconds to reach the data locations. */
async function waitUntilServed(baseUrl: string, secretKey: string): Promise<void> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const response = await fetch(`${baseUrl}/api/v1/access-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const { version } = (await response.json()) as { version?: { number: number | null } | null };
    if (response.ok && version) return;
    await sleep(200);
  }
  throw new Error('The environment was not served in time');
}
