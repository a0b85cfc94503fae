// By how much locations that take from one limit at the same time exceed it: what the others accept while an acceptance is on its way to
// them. Callers in one, two and three data locations take what is left of a customer's meter, one by one, until they are refused. Between
// real locations a way takes 50 to 250 ms longer than here, so the excess is also said per second of acceptances and of way.
import type { Location } from '#contracts/public/locations';
import { PLACES } from './bench-regions.ts';
import { startServer, stopServers } from './bench-servers.ts';
import { printTable } from './table.ts';
import { CUSTOMER_PLACE } from './workers/messages.ts';

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 20);
/** Of each customer, when the callers begin. */
const LEFT = 300;
/** Of the meters of the candidate. */
const LIMIT = 1_000_000_000;
const CALLERS = 8;

export async function benchLimits(): Promise<void> {
  const rows: string[][] = [];
  for (const count of [1, 2, 3]) {
    const places = Object.values(PLACES).slice(0, count);
    const locations = Object.keys(PLACES).slice(0, count) as Location[];
    const { request } = await startServer('counter-update', { locations });
    const call = async (customer: number, cf: object, change: object): Promise<boolean> => {
      const body = JSON.parse(request.body.replaceAll(CUSTOMER_PLACE, `limit-${customer}`)) as object;
      const response = await fetch(`http://127.0.0.1:${request.port}${request.path}`, {
        method: 'POST',
        headers: [
          ...request.headers.map(([name, value]): [string, string] => [name, value]),
          ['x-dev-cf', JSON.stringify(cf)],
        ],
        body: JSON.stringify({ ...body, ...change }),
      });
      if (!response.ok) throw new Error(`An update answered ${response.status}: ${await response.text()}`);
      return ((await response.json()) as { accepted: boolean }).accepted;
    };
    let [accepted, excess, most, ms] = [0, 0, 0, 0];
    for (let customer = 0; customer < CUSTOMERS; customer++) {
      await call(customer, places[0]!, { by: LIMIT - LEFT });
      // Each location knows the customer, and what was counted.
      for (const place of places) await call(customer, place, { by: 0 });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const beganAt = performance.now();
      const taken = await Promise.all(
        places.flatMap((place) =>
          Array.from({ length: CALLERS }, () =>
            takeAll(() => call(customer, place, { by: 1, enforce: true })),
          ),
        ),
      );
      ms += performance.now() - beganAt;
      const sum = taken.reduce((total, each) => total + each, 0);
      accepted += sum;
      excess += sum - LEFT;
      most = Math.max(most, sum - LEFT);
    }
    const perSecond = accepted / (ms / 1_000);
    rows.push([
      String(count),
      Math.round(perSecond).toLocaleString('en-GB'),
      (excess / CUSTOMERS).toFixed(1),
      String(most),
      ((excess / CUSTOMERS / perSecond) * 1_000).toFixed(1),
    ]);
    stopServers();
  }
  console.log(
    `\nAcceptances beyond a limit of which ${LEFT} are left, ${CALLERS} callers in each location, ${CUSTOMERS} customers\n`,
  );
  printTable(['locations', 'accepted a second', 'beyond the limit', 'at most', 'per 1,000 a second'], rows);
}

async function takeAll(take: () => Promise<boolean>): Promise<number> {
  let taken = 0;
  while (await take()) taken += 1;
  return taken;
}
