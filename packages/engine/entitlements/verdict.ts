/**
 * Decides whether a feature is allowed. Answers, explanations, events, metrics and the console all say what this file decides; other
 * properties that are off decide nothing. See docs/decisions, "One verdict per feature".
 */
import type { DenialReason, FeatureVerdict } from '#contracts/public/verdict';
import { isEntityBeyond, isUnseated } from '../metering/read-entity.ts';
import { type LimitOwner, type MeterAnswer, overageLeft, takenIn } from '../metering/read-meter.ts';
import type { PreparedFeature } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

/** The outcome of counting on one of the feature's meters. */
export interface CountedMeter {
  /** The feature's slug. */
  readonly feature: string;
  readonly accepted: boolean;
  /** After counting. */
  readonly meter: MeterAnswer;
  /** Of an update that is beyond a limit, where those of entities apply: whose. */
  readonly limitOf?: LimitOwner | undefined;
  /** The meter that paid for it; null or absent: none. */
  readonly payer?: MeterAnswer | null;
}

/** How many of a feature's meters allow more. A meter that is off counts as neither. */
export interface MeterTally {
  readonly open: number;
  readonly usedUp: number;
  /** Of those that allow nothing more: where the customer may use more, but not the entity. */
  readonly byEntity: number;
  /** Of those that allow nothing more: where each entity has a limit. */
  readonly withEntity: number;
  /** Of `byEntity`: where the entity has no seat. */
  readonly unseated: number;
}

/**
 * Null: the feature is allowed.
 * @param counted what the call counted on this feature: then its own amount decides, not what is left for the next
 */
export function denialReason(
  isEnabled: boolean,
  { open, usedUp, unseated }: MeterTally,
  counted: Omit<CountedMeter, 'feature'> | null,
): DenialReason | null {
  if (!isEnabled) return 'not-in-plan';
  const isLimited = counted === null ? usedUp > 0 && open === 0 : isRefused(counted);
  if (!isLimited) return null;
  const isWithoutSeat = counted === null ? unseated === usedUp : isUnseated(counted.meter);
  return isWithoutSeat ? 'not-in-plan' : 'limit-reached';
}

/**
 * An update without `enforce` is accepted beyond the limit. Where something remains beside usage that was counted above earlier balances, the
 * update fit.
 */
function isRefused({ accepted, meter, payer }: Omit<CountedMeter, 'feature'>): boolean {
  return !accepted || isExceeded(meter) || (payer != null && isExceeded(payer));
}

function isExceeded(meter: MeterAnswer): boolean {
  return isBeyond(meter) || isEntityBeyond(meter);
}

/** Whether the customer has used more than its limit, and more above it than is allowed. */
function isBeyond(meter: MeterAnswer): boolean {
  if (meter.state !== 'metered' || takenIn(meter) <= meter.limit || meter.remaining > 0) return false;
  return meter.overageLimit === undefined || overageLeft(meter) < 0;
}

/** A meter that is off counts as neither, unless only its costs cannot be paid. */
export function tallyMeter(
  tally: { -readonly [Field in keyof MeterTally]: MeterTally[Field] },
  answer: MeterAnswer,
): void {
  if (answer.allowed) tally.open += 1;
  else if (answer.state !== 'off' || answer.costs !== undefined) tally.usedUp += 1;
  if (answer.allowed || answer.state !== 'metered') return;
  if (answer.entity?.id != null) tally.withEntity += 1;
  if (answer.limitOf !== 'entity') return;
  tally.byEntity += 1;
  if (isUnseated(answer)) tally.unseated += 1;
}

export const NO_METERS: MeterTally = { open: 0, usedUp: 0, byEntity: 0, withEntity: 0, unseated: 0 };

/**
 * Who is not allowed, where entities have limits; undefined elsewhere.
 * @param isEnabled and the others as for denialReason
 */
export function limitOwner(
  reason: DenialReason | null,
  isEnabled: boolean,
  { usedUp, byEntity, withEntity }: MeterTally,
  counted: Omit<CountedMeter, 'feature'> | null,
): LimitOwner | undefined {
  if (reason === null || !isEnabled) return undefined;
  if (counted !== null) return counted.limitOf;
  if (withEntity === 0) return undefined;
  return byEntity === usedUp ? 'entity' : 'customer';
}

/** Of a call that counts on the feature. */
export function countDenial(isEnabled: boolean, counted: Omit<CountedMeter, 'feature'>): DenialReason | null {
  return denialReason(isEnabled, NO_METERS, counted);
}

/** Whether the feature's system property `enabled` is on. */
export function isFeatureOn({ choices }: Pick<Resolution, 'choices'>, { enabled }: PreparedFeature): boolean {
  return enabled === null || choices[enabled.index]?.value !== false;
}

export function verdictOf(reason: DenialReason | null, limitOf?: LimitOwner): FeatureVerdict {
  if (reason === null) return { allowed: true };
  return { allowed: false, reason, ...(limitOf !== undefined && { limitOf }) };
}

/** The members of the answer's JSON, after others. */
export const ALLOWED_TEXT = ',"allowed":true';

const DENIED_TEXTS: Readonly<Record<DenialReason, string>> = {
  'not-in-plan': ',"allowed":false,"reason":"not-in-plan"',
  'limit-reached': ',"allowed":false,"reason":"limit-reached"',
};

export function verdictText(reason: DenialReason | null, limitOf?: LimitOwner): string {
  if (reason === null) return ALLOWED_TEXT;
  const text = DENIED_TEXTS[reason];
  return limitOf === undefined ? text : `${text},"limitOf":"${limitOf}"`;
}
