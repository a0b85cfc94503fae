/** What is sold in a history: three meters, a plan that everyone has, one that is bought, and an add-on that is bought several times. */
import type { Overage } from '#contracts/public/overage';
import type { Rollover } from '#contracts/public/rollover';
import type { Random } from '#lab/fixtures/seeded-random';

export type MeterName = 'credits' | 'chat' | 'calls';
export type PlanName = 'free' | 'pro' | 'pack';

/** When a limit begins anew. Months of `billing` are counted from the customer's anchor. */
export type Period =
  | { readonly kind: 'lifetime' | 'hour' | 'day' | 'month' }
  | { readonly kind: 'billing'; readonly months: number };

export interface EntityLimit {
  readonly limit: number;
  readonly period: Period;
}

export interface Limit {
  readonly limit: number;
  readonly overage?: Overage;
  readonly rollover?: Rollover;
  readonly perEntity?: EntityLimit;
}

export interface SoldMeter {
  readonly name: MeterName;
  readonly period: Period;
  /** Which of several plans' limits applies. */
  readonly rule: 'higher' | 'sum';
  /** Thousandths of a credit that each one costs. */
  readonly costs: number | null;
  /** A plan that is missing says nothing of it. Without any, it is off. */
  readonly limits: Readonly<Partial<Record<PlanName, Limit | 'on'>>>;
}

export type Shop = Readonly<Record<MeterName, SoldMeter>>;

/** Half of them are of months, which roll over. */
const PERIODS: readonly Period[] = [
  { kind: 'lifetime' },
  { kind: 'day' },
  { kind: 'hour' },
  { kind: 'month' },
  { kind: 'billing', months: 1 },
  { kind: 'billing', months: 1 },
  { kind: 'billing', months: 3 },
];
const COSTS = [250, 1, 1000, 333, 2500] as const;

export function randomShop(random: Random): Shop {
  const { next, below, pick } = random;
  const perEntity = (): Pick<Limit, 'perEntity'> =>
    next() < 0.4 ? { perEntity: { limit: 3 + below(30), period: pick(PERIODS) } } : {};
  const overage = (): Pick<Limit, 'overage'> =>
    next() < 0.3 ? { overage: next() < 0.3 ? 'allow' : { upTo: 1 + below(20) } } : {};
  const creditsPeriod = pick(PERIODS);
  const callsPeriod = pick(PERIODS);
  return {
    credits: {
      ...{ name: 'credits', period: creditsPeriod, rule: 'higher', costs: null },
      limits: {
        ...(next() < 0.7 && { free: { limit: 5 + below(10), ...randomRollover(random, creditsPeriod) } }),
        pro: {
          limit: 20 + below(40),
          ...randomRollover(random, creditsPeriod),
          ...perEntity(),
          ...overage(),
        },
      },
    },
    chat: {
      ...{ name: 'chat', period: pick(PERIODS), rule: 'higher', costs: pick(COSTS) },
      limits: {
        free: { limit: 10 + below(30) },
        pro: next() < 0.5 ? 'on' : { limit: 50 + below(90), ...perEntity() },
      },
    },
    calls: {
      ...{ name: 'calls', period: callsPeriod, rule: 'sum', costs: null },
      limits: {
        ...(next() < 0.5 && { free: { limit: 1 + below(9) } }),
        pro: { limit: 10 + below(20), ...randomRollover(random, callsPeriod), ...perEntity(), ...overage() },
        pack: { limit: 5 + below(10), ...overage() },
      },
    },
  };
}

function randomRollover({ next, below, pick }: Random, { kind }: Period): Pick<Limit, 'rollover'> {
  if ((kind !== 'month' && kind !== 'billing') || next() < 0.4) return {};
  const lasts = next() < 0.2 ? 'forever' : { months: 1 + below(3) };
  const times = lasts !== 'forever' && next() < 0.4 ? 2 + below(2) : 1;
  return {
    rollover: {
      max: next() < 0.3 ? 'all' : 1 + below(20),
      ...(next() < 0.4 && { share: pick([1, 33, 50, 99]) }),
      lasts,
      ...(times > 1 && { times }),
    },
  };
}
