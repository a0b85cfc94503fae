/**
 * Decides whether a feature is allowed. Answers, explanations, events, metrics and the console all say what this file decides; other
 * properties that are off decide nothing. See docs/decisions, "One verdict per feature".
 */
import type { DenialReason, FeatureVerdict } from '#contracts/public/verdict';
import { type MeterAnswer, takenIn } from '../metering/read-meter.ts';
import type { PreparedFeature } from './prepared-artifact.ts';
import type { Resolution } from './resolution.ts';

/** The outcome of counting on one of the feature's meters. */
export interface CountedMeter {
  /** The feature's slug. */
  readonly feature: string;
  readonly accepted: boolean;
  /** After counting. */
  readonly meter: MeterAnswer;
}

/** How many of a feature's meters allow more. A meter that is off counts as neither. */
export interface MeterTally {
  readonly open: number;
  readonly usedUp: number;
}

/**
 * Null: the feature is allowed.
 * @param counted what the call counted on this feature: then its own amount decides, not what is left for the next
 */
export function denialReason(
  isEnabled: boolean,
  { open, usedUp }: MeterTally,
  counted: Omit<CountedMeter, 'feature'> | null,
): DenialReason | null {
  if (!isEnabled) return 'not-in-plan';
  const isLimited = counted === null ? usedUp > 0 && open === 0 : isRefused(counted);
  return isLimited ? 'limit-reached' : null;
}

/**
 * An update without `enforce` is accepted beyond the limit. Where something remains beside usage that was counted above earlier balances, the
 * update fit.
 */
function isRefused({ accepted, meter }: Omit<CountedMeter, 'feature'>): boolean {
  if (!accepted) return true;
  return meter.state === 'metered' && takenIn(meter) > meter.limit && meter.remaining === 0;
}

export const NO_METERS: MeterTally = { open: 0, usedUp: 0 };

/** Of a call that counts on the feature. */
export function countDenial(isEnabled: boolean, counted: Omit<CountedMeter, 'feature'>): DenialReason | null {
  return denialReason(isEnabled, NO_METERS, counted);
}

/** Whether the feature's system property `enabled` is on. */
export function isFeatureOn({ choices }: Pick<Resolution, 'choices'>, { enabled }: PreparedFeature): boolean {
  return enabled === null || choices[enabled.index]?.value !== false;
}

export function verdictOf(reason: DenialReason | null): FeatureVerdict {
  return reason === null ? { allowed: true } : { allowed: false, reason };
}

/** The members of the answer's JSON, after others. */
export const ALLOWED_TEXT = ',"allowed":true';

const DENIED_TEXTS: Readonly<Record<DenialReason, string>> = {
  'not-in-plan': ',"allowed":false,"reason":"not-in-plan"',
  'limit-reached': ',"allowed":false,"reason":"limit-reached"',
};

export function verdictText(reason: DenialReason | null): string {
  return reason === null ? ALLOWED_TEXT : DENIED_TEXTS[reason];
}
