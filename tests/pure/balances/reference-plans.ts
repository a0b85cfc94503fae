/** What should be: what a customer's plans say of each meter, by subscriptions as they are kept. */
import type { Rollover } from '#contracts/public/rollover';
import { sum } from './reference-amounts.ts';
import { type Cycle, minuteStart, periodAt } from './reference-calendar.ts';
import type { Limit, MeterName, Period, PlanName, Shop } from './shop.ts';

const BOUGHT = ['pro', 'pack'] as const;

export interface Subscription {
  readonly quantity: number;
  /** Of billing periods; with a trial, its end. */
  readonly anchor: number;
  readonly trial: { readonly from: number; readonly to: number } | null;
  /** Other quantities since then, and until when; in order. */
  readonly former: readonly { readonly until: number; readonly quantity: number }[];
}

/** A meter's value. */
export interface Value {
  readonly state: 'on' | 'off' | 'metered';
  readonly limit: bigint;
  readonly period: Period;
  readonly cycle: Cycle;
  readonly rollover: Rollover | null;
  /** How much may be used above it and all grants; null: any amount. */
  readonly overage: bigint | null;
  readonly perEntity: Limit['perEntity'] | null;
  /** Of an entity's: only with a seat. */
  readonly needsSeat: boolean;
}

type Said = Limit & { readonly plan: PlanName; readonly most: bigint | null };

export class ReferencePlans {
  readonly subscriptions = new Map<PlanName, Subscription>();
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** @param isOpened a grant of the meter can be drawn from */
  valueOf(name: MeterName, now: number, isOpened: boolean): Value {
    const { period, rule, limits, balanceOpens } = this.#shop.meters[name];
    const none = {
      ...{ limit: 0n, period, cycle: this.#cycleOf([], now), rollover: null, overage: 0n },
      ...{ perEntity: null, needsSeat: false },
    };
    const plans = this.#plansOf(name);
    if (plans.length === 0)
      return isOpened && balanceOpens
        ? { state: 'metered', ...none, period: { kind: 'lifetime' } }
        : { state: 'off', ...none };
    if (plans.some((plan) => limits[plan] === 'on')) return { state: 'on', ...none };
    const said = plans.map((plan) => this.#saidBy(plan, limits[plan] as Limit, now));
    said.sort((one, other) => other.limit - one.limit);
    const applied = rule === 'sum' ? said : said.slice(0, 1);
    const deciding = applied.map(({ plan }) => plan);
    const metered: Value = {
      ...{ ...none, state: 'metered', cycle: this.#cycleOf(deciding, now) },
      limit: sum(applied.map(({ limit }) => BigInt(limit))),
      overage: applied.some(({ most }) => most === null) ? null : sum(applied.map(({ most }) => most ?? 0n)),
      rollover: applied.find((each) => each.rollover !== undefined)?.rollover ?? null,
      perEntity: applied.find((each) => each.perEntity !== undefined)?.perEntity ?? null,
    };
    const isAnchored = deciding.some((plan) => plan !== 'free');
    return isAnchored ? { ...metered, limit: this.#sharedLimit(name, metered, now) } : metered;
  }

  /** Of what each entity may use. */
  entityValueOf({ perEntity, cycle, period }: Value): Value {
    const none = { rollover: null, overage: 0n, perEntity: null, cycle };
    if (perEntity === null || perEntity === undefined)
      return { state: 'on', limit: 0n, period, needsSeat: false, ...none };
    const { limit, needsSeat } = perEntity;
    return { state: 'metered', limit: BigInt(limit), period: perEntity.period, needsSeat, ...none };
  }

  /** Whether any plan limits each entity. */
  limitsEntities(name: MeterName): boolean {
    const limits = Object.values(this.#shop.meters[name].limits);
    return limits.some((each) => typeof each === 'object' && each.perEntity !== undefined);
  }

  /** Thousandths of a credit for each one, by the plan that asks least; null: nothing. */
  costsOf(name: MeterName): bigint | null {
    const { costs, planCosts } = this.#shop.meters[name];
    if (costs === null) return null;
    const all = this.#plansOf(name).map((plan) => planCosts[plan] ?? costs);
    return BigInt(Math.min(...(all.length === 0 ? [costs] : all)));
  }

  /** Whether a plan that not everyone has says something of the meter. */
  isBought(name: MeterName): boolean {
    return this.#plansOf(name).some((plan) => plan !== 'free');
  }

  /** Those of the customer's that say something of it. */
  #plansOf(name: MeterName): PlanName[] {
    const { limits } = this.#shop.meters[name];
    return (['free', ...BOUGHT] as const).filter(
      (plan) => limits[plan] !== undefined && (plan === 'free' || this.subscriptions.has(plan)),
    );
  }

  #saidBy(plan: PlanName, { overage, ...own }: Limit, now: number, at = now): Said {
    const subscription = this.subscriptions.get(plan);
    const times = plan === 'pack' && subscription !== undefined ? quantityAt(subscription, at) : 1;
    const isTrial = subscription !== undefined && isInTrial(subscription, now);
    if (isTrial && own.trialLimit !== undefined)
      return { ...own, plan, limit: own.trialLimit * times, most: 0n };
    const most = overage === 'allow' ? null : BigInt((overage?.upTo ?? 0) * times);
    return { ...own, plan, limit: own.limit * times, most };
  }

  /** That of the plan that is no add-on, if it is one of them. */
  #cycleOf(plans: readonly PlanName[], now: number): Cycle {
    const plan = BOUGHT.find((each) => plans.includes(each));
    const { zone, onPlanChange } = this.#shop;
    const subscription = plan && this.subscriptions.get(plan);
    if (subscription === undefined) return { anchor: 0, trialEnd: null, zone };
    const { anchor, trial, former } = subscription;
    if (trial !== null && isInTrial(subscription, now))
      return { anchor: trial.from, trialEnd: trial.to, zone };
    const changed = onPlanChange === 'restart' ? former.at(-1)?.until : undefined;
    return { anchor: minuteStart(Math.max(anchor, changed ?? anchor)), trialEnd: null, zone };
  }

  /** Of a billing period in which quantities have changed: what each limit gives in its part of the time, rounded up together. */
  #sharedLimit(name: MeterName, { period, cycle, limit }: Value, now: number): bigint {
    if (this.#shop.onPlanChange !== 'proportional' || period.kind !== 'billing') return limit;
    const { from, to } = periodAt(period, cycle, now) as { from: number; to: number };
    const changes = [...this.subscriptions.values()].flatMap(({ former }) =>
      former.map(({ until }) => until),
    );
    const instants = [...new Set(changes)].filter((at) => at > from && at <= now).sort((a, b) => a - b);
    if (instants.length === 0) return limit;
    const { limits, rule } = this.#shop.meters[name];
    const limitAt = (at: number) => {
      const each = this.#plansOf(name).map(
        (plan) => this.#saidBy(plan, limits[plan] as Limit, now, at).limit,
      );
      return BigInt(rule === 'sum' ? each.reduce((all, one) => all + one, 0) : Math.max(...each));
    };
    const starts = [from, ...instants];
    const parts = starts.map((at, index) => limitAt(at) * BigInt((starts[index + 1] ?? to) - at));
    const length = BigInt(to - from);
    return (sum(parts) + length - 1n) / length;
  }
}

function isInTrial({ trial }: Subscription, now: number): boolean {
  return trial !== null && now < trial.to;
}

function quantityAt({ quantity, former }: Subscription, at: number): number {
  return former.find(({ until }) => until > at)?.quantity ?? quantity;
}
