// A meter of customers in a run that rolls over: it is counted before and after the month passes, and every location must come to what was
// left of it, and to the same limit.
import type { AccessCheckAnswer } from '#contracts/public/access';
import type { CounterUpdateAnswer } from '#contracts/public/metering';
import type { Random } from '#lab/fixtures/seeded-random';
import { callAt } from './call-at.ts';
import type { CustomerHistory } from './history.ts';
import { type ClientOptions, newKey, send } from './send.ts';
import { FEATURE, PLACES, type Place, ROLLING } from './workspace.ts';

export async function countRolling(
  options: ClientOptions,
  { rolling, names, counted }: CustomerHistory,
  random: Random,
): Promise<void> {
  const by = 1 + random.upTo(4);
  rolling.now.max += by;
  rolling.drawn += by;
  const answer = await send<CounterUpdateAnswer>(options, random, {
    path: 'counter-updates',
    body: {
      ...{ userIdentifier: random.pick(names), feature: FEATURE, property: 'rolling', by },
      idempotencyKey: newKey(),
    },
  });
  if (answer.kind === 'unknown') {
    options.history.unknown += 1;
    return;
  }
  const { replayed, requestId, draws = [] } = answer.body;
  rolling.now.min += by;
  rolling.drawn -= by - draws.reduce((sum, { amount }) => sum + amount, 0);
  if (!replayed) counted.push(requestId);
}

interface Compared {
  readonly baseUrl: string;
  readonly workspace: { readonly secretKey: string };
  readonly customers: readonly CustomerHistory[];
}

/** Locations say the same; what rolled over is what was left of the month before; and quota, rollover and overage are what was counted. */
export async function compareRolling({
  customers,
  ...run
}: Compared): Promise<{ readonly differences: string[]; readonly rolledOver: number }> {
  const differences: string[] = [];
  let rolledOver = 0;
  for (const { identifier, rolling } of customers) {
    const meters = await Promise.all(PLACES.map((place) => readRolling(run, identifier, place)));
    const [first, ...others] = meters.map((meter) => JSON.stringify(meter));
    if (others.some((other) => other !== first))
      differences.push(`${identifier}: locations disagree about what rolled over: ${JSON.stringify(meters)}`);
    const [meter] = meters;
    if (meter === undefined) continue;
    const rolled = meter.limit - ROLLING.limit;
    if (rolled > 0) rolledOver += 1;
    const leftOf = (used: number) => Math.max(0, Math.min(ROLLING.most, ROLLING.limit - used));
    const { before, now, drawn } = rolling;
    const [least, most] = before === null ? [0, 0] : [leftOf(before.max), leftOf(before.min)];
    // Of a month in which the customer never called, nothing is left.
    const isUnseen = (before?.min ?? 0) === 0 && rolled === 0;
    if ((rolled < least || rolled > most) && !isUnseen)
      differences.push(
        `${identifier}: ${rolled} rolled over, of ${JSON.stringify(before)}: ${JSON.stringify(meter)}`,
      );
    const [line] = meter.balances ?? [];
    if (rolled > 0 && (line?.kind !== 'balance' || line.amount !== rolled))
      differences.push(`${identifier}: no line has the ${rolled} that rolled over: ${JSON.stringify(meter)}`);
    // What locations drew at the same time beyond what there is.
    const excess = Math.max(0, drawn - rolled);
    if (meter.used < now.min - excess || meter.used > now.max)
      differences.push(
        `${identifier}: rolling is ${meter.used}, acknowledged were ${now.min} to ${now.max}, of which ${drawn} were drawn`,
      );
    const above = meter.balances === undefined ? Math.max(0, meter.used - meter.limit) : (meter.overage ?? 0);
    if (meter.remaining !== meter.limit - meter.used + above)
      differences.push(`${identifier}: what rolls over does not add up: ${JSON.stringify(meter)}`);
  }
  return { differences, rolledOver };
}

async function readRolling(
  { baseUrl, workspace }: Omit<Compared, 'customers'>,
  userIdentifier: string,
  place: Place,
) {
  const from = { baseUrl, secretKey: workspace.secretKey, place };
  const body = { userIdentifier, features: [FEATURE], include: ['balances'] };
  const response = await callAt(from, 'access-checks', body);
  const text = await response.text();
  if (!response.ok) throw new Error(`A check answered ${response.status}: ${text}`);
  const meter = (JSON.parse(text) as AccessCheckAnswer).features[FEATURE]?.properties.rolling;
  if (typeof meter !== 'object' || meter.state !== 'metered') throw new Error('What rolls over is no meter');
  return meter;
}
