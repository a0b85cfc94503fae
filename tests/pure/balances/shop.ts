/**
 * What is sold in a history: three meters and seats, a plan that everyone has, one that is bought, and an add-on that is bought several
 * times.
 */
import type { Overage } from '#contracts/public/overage';
import type { Rollover } from '#contracts/public/rollover';
import type { Random } from '#lab/fixtures/seeded-random';
import { ZONES, type Zone } from './reference-zones.ts';

export type MeterName = 'credits' | 'chat' | 'calls';
export type PlanName = 'free' | 'pro' | 'pack';

/** When a limit begins anew. Months of `billing` are counted from the customer's anchor. */
export type Period =
  | { readonly kind: 'lifetime' | 'hour' | 'day' | 'month' }
  | { readonly kind: 'billing'; readonly months: number };

interface EntityLimit {
  readonly limit: number;
  readonly period: Period;
  /** Entities without a seat may use nothing. */
  readonly needsSeat: boolean;
}

export interface Limit {
  readonly limit: number;
  /** In a trial. */
  readonly trialLimit?: number;
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
  /** Of plans that say so themselves. */
  readonly planCosts: Readonly<Partial<Record<PlanName, number>>>;
  /** Where no plan says anything of it, a grant meters it with a limit of 0. */
  readonly balanceOpens: boolean;
  /** A plan that is missing says nothing of it. Without any, it is off. */
  readonly limits: Readonly<Partial<Record<PlanName, Limit | 'on'>>>;
}

export interface Shop {
  readonly meters: Readonly<Record<MeterName, SoldMeter>>;
  /** Of calendar periods. */
  readonly zone: Zone;
  /** What a new quantity does to billing periods. */
  readonly onPlanChange: 'carry' | 'restart' | 'proportional';
}

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
    next() < 0.4
      ? { perEntity: { limit: 3 + below(30), period: pick(PERIODS), needsSeat: next() < 0.4 } }
      : {};
  const overage = (): Pick<Limit, 'overage'> =>
    next() < 0.3 ? { overage: next() < 0.3 ? 'allow' : { upTo: 1 + below(20) } } : {};
  // No other plan's limit is the same.
  const trial = ({ kind }: Period, from: number, count: number): Pick<Limit, 'trialLimit'> =>
    kind === 'billing' && next() < 0.5 ? { trialLimit: from + below(count) } : {};
  const [creditsPeriod, chatPeriod, callsPeriod] = [pick(PERIODS), pick(PERIODS), pick(PERIODS)];
  const costsOf = (plan: PlanName) => (next() < 0.5 ? { [plan]: pick(COSTS) } : {});
  const meters: Shop['meters'] = {
    credits: {
      ...{ name: 'credits', period: creditsPeriod, rule: 'higher', costs: null, planCosts: {} },
      balanceOpens: next() < 0.5,
      limits: {
        ...(next() < 0.7 && { free: { limit: 3 + below(8), ...randomRollover(random, creditsPeriod) } }),
        pro: {
          limit: 15 + below(15),
          ...trial(creditsPeriod, 11, 4),
          ...randomRollover(random, creditsPeriod),
          ...perEntity(),
          ...overage(),
        },
      },
    },
    chat: {
      ...{ name: 'chat', period: chatPeriod, rule: 'higher', costs: pick(COSTS), balanceOpens: false },
      planCosts: { ...costsOf('free'), ...costsOf('pro') },
      limits: {
        free: { limit: 6 + below(14) },
        pro: next() < 0.5 ? 'on' : { limit: 20 + below(30), ...trial(chatPeriod, 1, 5), ...perEntity() },
      },
    },
    calls: {
      ...{ name: 'calls', period: callsPeriod, rule: 'sum', costs: null, planCosts: {} },
      balanceOpens: next() < 0.5,
      limits: {
        ...(next() < 0.5 && { free: { limit: 1 + below(9) } }),
        pro: {
          limit: 5 + below(10),
          ...trial(callsPeriod, 0, 12),
          ...randomRollover(random, callsPeriod),
          ...perEntity(),
          ...overage(),
        },
        pack: { limit: 2 + below(6), ...trial(callsPeriod, 0, 5), ...overage() },
      },
    },
  };
  return {
    meters,
    zone: next() < 0.4 ? 'UTC' : pick(ZONES),
    onPlanChange: pick(['carry', 'restart', 'proportional', 'proportional']),
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
