// `npm run traffic [-- --minutes 10 --rate 5]`: sends believable calls from many places to the demo of a running local server
// (TESSERA_URL, default port 4001), so that its live view and metrics move. Ends by itself, or with Ctrl-C.
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentEndpoints } from '#contracts/console/environments';
import { type HoldAnswer, holdEndpoints } from '#contracts/public/holds';
import { signInDemo } from '../dev/demo/demo-account.ts';
import { findSecretKey } from '../dev/demo/example-check.ts';
import { findDemoOrganisation } from '../dev/demo/find-demo-organisation.ts';
import { type DemoCall, nextCall } from '../dev/demo/traffic-calls.ts';
import { readOptions } from '../dev/tools/read-options.ts';
import { findServer } from '../dev/tools/running-server.ts';
import { StartError } from '../dev/tools/start-error.ts';
import type { Workspace } from '../dev/workspace/build-workspace.ts';

const { values } = readOptions('traffic', { minutes: { type: 'string' }, rate: { type: 'string' } });
const options: Options = {
  minutes: readNumber('--minutes', values.minutes ?? '10', 0.1, 600),
  rate: readNumber('--rate', values.rate ?? '5', 0.1, 200),
};
const url = await findServer();
/** Calls wait for each other beyond this. */
const MAX_IN_FLIGHT = 40;
const REPORT_MS = 10_000;

interface Options {
  readonly minutes: number;
  /** Calls a second, on average. */
  readonly rate: number;
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (number >= least && number <= most) return number;
  throw new StartError(`${name} must be a number from ${least} to ${most}`);
}

/** Places are simulated with a header that only a development server accepts. */
function ensureLocal(): void {
  const { hostname } = new URL(url);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new Error(`TESSERA_URL must be a server on this machine, not ${hostname}`);
  }
}

/** Secret keys of the demo's environments; the busiest first. */
async function findKeys(): Promise<string[]> {
  const session = await signInDemo(url);
  const organisation = await findDemoOrganisation(session);
  if (organisation === undefined) throw new Error('The demo user has no organisation.');
  const { id: orgId } = organisation;
  const workspace: Workspace = { session, orgId };
  const environments = await session.call(environmentEndpoints.list, { params: { orgId } });
  const keys: string[] = [];
  for (const type of ['live', 'test']) {
    for (const environment of environments.filter((each) => each.type === type)) {
      const key = await findSecretKey(workspace, environment);
      if (key !== null) keys.push(key);
    }
  }
  if (keys.length === 0) throw new Error('The demo has no secret keys. Create one in the console first.');
  return keys;
}

async function send(keys: readonly string[], call: DemoCall): Promise<number> {
  const { path, body, place, isBusiest } = call;
  const key = (isBusiest ? keys[0] : keys.at(-1)) ?? '';
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-dev-cf': encodeHeader(place),
    },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  const hold = (answer as Partial<HoldAnswer>).hold;
  if (call.settles && hold) settleLater(keys, call, hold.id, call.settles);
  return response.status;
}

/** Settlements that are due. What still runs at the end is aborted, and its holds end by themselves. */
const settlements = new Set<NodeJS.Timeout>();

function settleLater(
  keys: readonly string[],
  call: DemoCall,
  id: string,
  { afterMs, amount }: NonNullable<DemoCall['settles']>,
): void {
  const path = holdEndpoints.settle.path.replace(':hold', id);
  const timer = setTimeout(() => {
    settlements.delete(timer);
    void send(keys, { ...call, path, body: { amount }, settles: null }).catch(() => undefined);
  }, afterMs);
  settlements.add(timer);
}

/** JSON in ASCII: header values have no other characters. */
function encodeHeader(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function run({ minutes, rate }: Options): Promise<void> {
  ensureLocal();
  const keys = await findKeys();
  console.log(`Sending about ${rate} calls a second to ${url} for ${minutes} minutes. Stop with Ctrl-C.`);
  console.log(`Watch them under Observability, Live.`);
  const endAt = Date.now() + minutes * 60_000;
  const inFlight = new Set<Promise<void>>();
  const statuses = new Map<number, number>();
  let reportAt = Date.now() + REPORT_MS;
  let isStopped = false;
  process.once('SIGINT', () => {
    isStopped = true;
  });
  while (!isStopped && Date.now() < endAt) {
    const call = send(keys, nextCall(Date.now(), Math.random))
      .then((status) => void statuses.set(status, (statuses.get(status) ?? 0) + 1))
      .catch(() => void statuses.set(0, (statuses.get(0) ?? 0) + 1))
      .finally(() => inFlight.delete(call));
    inFlight.add(call);
    if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
    if (Date.now() >= reportAt) {
      console.log(report(statuses));
      reportAt += REPORT_MS;
    }
    // Arrivals of independent callers: the gaps between them are exponential.
    await sleep((-Math.log(1 - Math.random()) * 1_000) / rate);
  }
  await Promise.all(inFlight);
  for (const timer of settlements) clearTimeout(timer);
  console.log(`${report(statuses)} in total.`);
}

function report(statuses: ReadonlyMap<number, number>): string {
  const texts = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} ${status === 0 ? 'without an answer' : `answered ${status}`}`);
  return texts.join(', ') || 'nothing sent';
}

try {
  await run(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
