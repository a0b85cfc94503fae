/** What one of a meter costs, beside the meter in answers. */
import type { AlsoOutcome, DrawSource } from '#contracts/internal/ledger';
import { type AnsweredDraw, answeredDraws } from '../balances/answered-draws.ts';
import { type CostAnswer, type MeterAnswer, overageLeft } from './read-meter.ts';

/** The meter that pays, and how much. */
export interface NamedCost {
  /** A feature's slug. */
  readonly feature: string;
  readonly property: string;
  /** Of one. */
  readonly thousandths: number;
}

/** What a call counted on the meter that pays. */
export interface CountedCost extends CostAnswer {
  /** Whether that meter alone would have accepted it. */
  readonly accepted: boolean;
  /** Of a call about a hold: what the hold counts on that meter. */
  readonly applied: number;
  readonly draws?: readonly AnsweredDraw[];
  readonly lost?: number;
  /** After the call. */
  readonly meter: MeterAnswer;
}

/** @param meter the one that pays */
export function costAnswer({ feature, property, thousandths }: NamedCost, meter: MeterAnswer): CostAnswer {
  const per = thousandths / 1000;
  if (meter.state !== 'metered') return { feature, property, per, allowed: meter.allowed };
  // Of a call for one of the customer's entities: what that may use, too.
  const ofEntity = meter.entity?.remaining ?? Number.POSITIVE_INFINITY;
  const allowed = Math.min(meter.remaining + overageLeft(meter), ofEntity) >= Math.ceil(per);
  return { feature, property, per, allowed, remaining: Math.min(meter.remaining, ofEntity) };
}

/** A meter whose answer has the costs beside it. What is on and cannot be paid is answered as off: on is always allowed. */
export function allowedBy(meter: MeterAnswer, costs: CostAnswer | undefined): MeterAnswer {
  if (costs === undefined || costs.allowed || meter.state === 'off') return meter;
  if (meter.state === 'metered') return { ...meter, allowed: false };
  const { used, held } = meter;
  return {
    ...{ state: 'off', allowed: false },
    ...(used !== undefined && { used }),
    ...(held !== undefined && { held }),
  };
}

/** A meter of which each one costs something: not allowed if that cannot be paid. What is off anyway says no costs. */
export function paidBy(meter: MeterAnswer, costs: CostAnswer): MeterAnswer {
  return meter.state === 'off' ? meter : { ...allowedBy(meter, costs), costs };
}

/** @param meter the one that pays, after the call @param sources what it is drawn from */
export function countedCost(
  cost: NamedCost,
  { fits, applied, draws, lost }: AlsoOutcome,
  meter: MeterAnswer,
  sources: readonly DrawSource[] | undefined,
): CountedCost {
  const drawn = answeredDraws(draws, sources);
  return {
    ...costAnswer(cost, meter),
    accepted: fits,
    applied,
    ...(drawn && { draws: drawn }),
    ...(lost !== undefined && { lost }),
    meter,
  };
}
