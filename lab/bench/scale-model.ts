// Extrapolates the measured use of a million calls to a month at three rates from 300 colos, and names what saturates first. It is
// arithmetic over the constants below, not a measurement; docs/cost.md, "Cost", says what the answers to saturation are.
import { costOf, mapUsage, type Usage } from './prices.ts';
import { printTable } from './table.ts';

export type CallKind = 'anonymous' | 'metered' | 'bounded' | 'update';

/** Calls a second, of all organisations. */
const RATES = [10, 10_000, 1_000_000] as const;
const MIX: Readonly<Record<CallKind, number>> = { anonymous: 0.5, metered: 0.3, bounded: 0.1, update: 0.1 };
const COLOS = 300;
const LOCATIONS = 9;
/** Ledgers of an environment in one location: the default of LEDGER_SHARDS. */
const SHARDS = 16;
const CALLS_PER_ORGANISATION = 100;
/** Share of all calls; the next, of that organisation's calls. */
const LARGEST_ORGANISATION = 0.2;
const HOTTEST_CUSTOMER = 0.1;
const CALLS_PER_ISOLATE = 1_000;
/** An isolate sends an organisation's events once a second while nobody watches. */
const SENDS_PER_SECOND = 1;
const COMMITS_PER_SECOND = 4;
/** A stream lets its isolates come less often when they are more (engine/events/append-pace.ts). */
const MAX_APPENDS_PER_SECOND = 500;
/** An isolate confirms a snapshot that it uses every two to three seconds. */
const PULLS_PER_SECOND = 0.4;
/** The platform's soft limit for one object (developers.cloudflare.com/durable-objects/platform/limits/). */
const REQUESTS_PER_OBJECT = 1_000;
const STREAM_BYTES = 8e9;
/** Grow's retention. */
const RETENTION_DAYS = 30;
const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
/** The rate at which the bench measures, from one isolate. */
export const MEASURED_RATE = 100;

/** Requests of one object. */
interface Load {
  readonly name: string;
  readonly perSecond: number;
}

/** Prints a month's bill and the loads of the busiest objects at each rate. @param perMillion as measured */
export function describeMonths(perMillion: ReadonlyMap<string, Usage>): void {
  const months = RATES.map((rate) => costOf(monthOf(rate, perMillion)));
  const mix = Object.entries(MIX).map(([kind, share]) => `${share * 100} % ${kind}`);
  const rateTexts = RATES.map((rate) => `${rate.toLocaleString('en-GB')}/s`);
  console.log(`\nUSD a month, from ${COLOS} colos: ${mix.join(', ')}\n`);
  printTable(
    ['', ...rateTexts],
    [
      ['Worker requests and CPU', ...months.map(({ requests, cpuMs }) => usd(requests + cpuMs))],
      ['object requests', ...months.map(({ objectRequests }) => usd(objectRequests))],
      ['object duration', ...months.map(({ objectSeconds }) => usd(objectSeconds))],
      ['rows', ...months.map(({ rowsRead, rowsWritten }) => usd(rowsRead + rowsWritten))],
      [
        'storage, queues and D1',
        ...months.map((each) => usd(each.storedGb + each.queueOperations + each.d1RowsWritten)),
      ],
      ['sum', ...months.map((each) => usd(Object.values(each).reduce((sum, part) => sum + part, 0)))],
    ],
  );
  const loads = RATES.map(loadsAt);
  console.log(
    `\nRequests of the busiest objects, in percent of ${REQUESTS_PER_OBJECT.toLocaleString('en-GB')} a second\n`,
  );
  printTable(
    ['', ...rateTexts],
    [
      ...(loads[0] ?? []).map(({ name }, row) => [name, ...loads.map((all) => percentOf(all[row]))]),
      ['days until its events are archived', ...RATES.map((rate) => daysText(rate, perMillion))],
    ],
  );
  for (const [index, all] of loads.entries()) {
    const [first] = all.toSorted((one, other) => other.perSecond - one.perSecond);
    if (first === undefined) continue;
    const isSaturated = first.perSecond > REQUESTS_PER_OBJECT;
    console.log(`${rateTexts[index]}: ${isSaturated ? 'saturated first' : 'busiest'} is ${first.name}`);
  }
}

/** What a month at a rate uses. */
function monthOf(rate: number, perMillion: ReadonlyMap<string, Usage>): Usage {
  const organisations = Math.max(1, rate / CALLS_PER_ORGANISATION);
  const own = rate / organisations;
  const appends = Math.min(SENDS_PER_SECOND * isolatesOf(own, rate), MAX_APPENDS_PER_SECOND);
  const sends = Math.min(1, appends / own);
  const measuredSends = SENDS_PER_SECOND / MEASURED_RATE;
  // The stream joins what isolates send, so the rows of a commit are shared by all calls of a quarter second.
  const commits = Math.min(1, Math.min(appends, COMMITS_PER_SECOND) / own) / measuredSends;
  const anonymous = perMillion.get('anonymous') ?? mapUsage(() => Number.NaN);
  const pulls = PULLS_PER_SECOND * Math.min(isolatesOf(own, rate), own) * organisations * MONTH_S;
  const millions = (rate * MONTH_S) / 1e6;
  const mixed = mapUsage((resource) =>
    Object.entries(MIX).reduce(
      (sum, [kind, share]) => sum + share * (perMillion.get(kind as CallKind)?.[resource] ?? Number.NaN),
      0,
    ),
  );
  return {
    ...mapUsage((resource) => mixed[resource] * millions),
    objectRequests: (mixed.objectRequests + (sends - measuredSends) * 1e6) * millions + pulls,
    rowsWritten: (mixed.rowsWritten + (commits - 1) * anonymous.rowsWritten) * millions,
    // A stream is active all the time at most.
    objectSeconds:
      (mixed.objectSeconds - anonymous.objectSeconds) * millions +
      Math.min(1, (anonymous.objectSeconds / 1e6) * own) * MONTH_S * organisations,
    storedGb: Math.min(mixed.storedGb * millions, (STREAM_BYTES / 1e9) * organisations),
  };
}

function loadsAt(rate: number): Load[] {
  const largest = largestOrganisation(rate);
  const isolates = isolatesOf(largest, rate);
  const counted = largest * (MIX.metered + MIX.update);
  return [
    {
      name: "the largest organisation's event stream",
      perSecond: Math.min(largest, isolates * SENDS_PER_SECOND, MAX_APPENDS_PER_SECOND),
    },
    { name: "its hottest customer's ledger", perSecond: counted * HOTTEST_CUSTOMER },
    { name: 'any of its ledgers', perSecond: counted / LOCATIONS / SHARDS },
    { name: 'any of its replicas', perSecond: (isolates * PULLS_PER_SECOND) / LOCATIONS },
  ];
}

/** Calls a second. */
function largestOrganisation(rate: number): number {
  return Math.max(rate * LARGEST_ORGANISATION, Math.min(rate, CALLS_PER_ORGANISATION));
}

/** A stream archives its oldest events early rather than outgrow its object. */
function daysText(rate: number, perMillion: ReadonlyMap<string, Usage>): string {
  const bytesPerCall = (perMillion.get('anonymous')?.storedGb ?? Number.NaN) * 1e3;
  const days = STREAM_BYTES / bytesPerCall / largestOrganisation(rate) / DAY_S;
  return days < 1 ? days.toFixed(2) : Math.min(RETENTION_DAYS, days).toFixed(0);
}

/** Isolates that serve an organisation: one in each colo that it is called from, more where they are busy. */
function isolatesOf(own: number, rate: number): number {
  return Math.max(
    Math.min(COLOS, own),
    rate / CALLS_PER_ISOLATE > COLOS ? Math.min(own, rate / CALLS_PER_ISOLATE) : 0,
  );
}

function percentOf(load: Load | undefined): string {
  return load === undefined
    ? ''
    : `${((load.perSecond / REQUESTS_PER_OBJECT) * 100).toFixed(load.perSecond < 100 ? 1 : 0)} %`;
}

function usd(amount: number): string {
  return amount < 10 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en-GB');
}
