/** Events in words: type, outcome, what was asked, and the reason for a warning, a denial or an error. */
import type { Environment } from '#contracts/console/environments';
import { type Event, type EventOutcome, type EventType, NO_ENVIRONMENT } from '#contracts/console/events';
import { causeOfError } from '#engine/events/denial-cause';
import { formatNumber } from '#web/ui/format.ts';
import { countryName } from './countries.ts';
import { denialLabel } from './denial-words.ts';
import { DENIAL_LABELS } from './verdict.tsx';

export const EVENT_TYPE_LABELS: Readonly<Record<EventType, string>> = {
  ac: 'Access check',
  cu: 'Counter update',
  se: 'Stripe event',
};

/** Types of calls in lists and filters. Calls about holds have the type of counter updates. */
export type CallType = EventType | 'hold';
export const CALL_TYPE_LABELS: Readonly<Record<CallType, string>> = { ...EVENT_TYPE_LABELS, hold: 'Hold' };

export const OUTCOME_LABELS: Readonly<Record<EventOutcome, string>> = {
  allowed: 'Allowed',
  denied: 'Denied',
  warning: 'Warning',
  error: 'Error',
};

export const typeLabel = (event: Event): string => CALL_TYPE_LABELS[isAboutHold(event) ? 'hold' : event.type];

/** In events recorded before there was a field for it, a call about a hold has an amount, unlike a counter update, or names the hold. */
export function isAboutHold({ type, isHold, request }: Pick<Event, 'type' | 'isHold' | 'request'>): boolean {
  const asked = asObject(request);
  return isHold === true || (type === 'cu' && (asked?.amount ?? asked?.hold) !== undefined);
}

/** Such as `exports.rows +12`, `exports, seats`, or the type of a Stripe event. */
export function requestLabel(event: Event): string {
  const { type, request, response, isError, stripeEventType } = event;
  if (type === 'se') return stripeEventType ?? '';
  const asked = asObject(request);
  if (asked === null && isError) return 'request not recorded';
  if (asked !== null && isAboutHold(event)) return holdLabel(asked, asObject(response));
  if (type === 'cu') return countLabel(asked);
  const consume = asObject(asked?.consume);
  if (consume !== null) return `consumes ${countLabel(consume)}`;
  return Array.isArray(asked?.features) ? asked.features.join(', ') : 'all features';
}

/** The error, why it was denied, or the warnings of an event, in a few words; null if it has none. */
export function reasonLabel(event: Event): string | null {
  switch (event.outcome) {
    case 'error':
      return errorLabel(event);
    case 'denied':
      return denialLabel(event);
    case 'warning':
      return firstOf(warningCodesOf(event)) ?? 'warning';
    case 'allowed':
      return null;
  }
}

/**
 * An event's environment in a list: its name among several. In a list of one, only an event of all has a mark, such as Stripe's.
 * @param environments undefined while they load
 */
export function environmentMark(
  { envId }: Pick<Event, 'envId'>,
  isOfOne: boolean,
  environments: readonly Pick<Environment, 'id' | 'name'>[] | undefined,
): { readonly environment?: string; readonly isEverywhere?: boolean } {
  const isEverywhere = envId === NO_ENVIRONMENT;
  if (isOfOne) return { isEverywhere };
  const name = environments?.find(({ id }) => id === envId)?.name;
  return { environment: isEverywhere ? 'All environments' : (name ?? '') };
}

/** Such as `US`, or null where the place is unknown or no country code. */
export function countryCodeOf({ detail }: Pick<Event, 'detail'>): string | null {
  const { countryCode } = detail;
  return countryCode !== null && /^[A-Z]{2}$/.test(countryCode) ? countryCode : null;
}

/** 'Lisbon, Portugal'; empty if the place is unknown. */
export function placeLabel(event: Pick<Event, 'detail'>): string {
  const code = countryCodeOf(event);
  const country = code === null ? undefined : countryName(code);
  return [event.detail.city, country].filter(Boolean).join(', ');
}

/** 'ai.credits holds 4,000', 'ai.credits settles 3,127 of 4,000'. */
function holdLabel(asked: Record<string, unknown>, answer: Record<string, unknown> | null): string {
  const { amount = 0, hold, onExcess } = asked;
  const { applied = onExcess && amount } = answer ?? {};
  const held = asObject(answer?.hold)?.amount;
  if (hold === undefined) return `${meterOf(asked)} holds ${figure(held ?? amount)}`;
  if (applied === undefined)
    return `${meterOf(asked)} holds ${amount === 0 ? 'longer' : `${figure(amount)} more`}`;
  return `${meterOf(asked)} settles ${figure(applied)}${held === undefined ? '' : ` of ${figure(held)}`}`;
}

const figure = (amount: unknown) => formatNumber(Number(amount));

const meterOf = ({ feature, property }: Record<string, unknown>) =>
  `${textOf(feature) ?? ''}.${textOf(property) ?? ''}`;

function countLabel(count: Record<string, unknown> | null): string {
  const { by, resourceId, release } = count ?? {};
  const what = meterOf(count ?? {});
  if (typeof resourceId === 'string')
    return `${what} ${release === true ? 'releases' : 'adds'} ${resourceId}`;
  const amount = typeof by === 'number' ? by : 1;
  return `${what} ${amount < 0 ? '−' : '+'}${Math.abs(amount)}`;
}

function warningCodesOf({ warningCodes, response }: Event): readonly string[] {
  if (warningCodes.length > 0) return warningCodes;
  const warnings = asObject(response)?.warnings;
  if (!Array.isArray(warnings)) return [];
  return warnings.flatMap((warning) => textOf(asObject(warning)?.code) ?? []);
}

/** 'Blocked', or the error's type. */
function errorLabel({ response }: Event): string {
  const type = textOf(asObject(response)?.errorType);
  const cause = causeOfError(type);
  return cause === null ? (type ?? 'error') : DENIAL_LABELS[cause];
}

function firstOf(texts: readonly string[]): string | undefined {
  const [first] = texts;
  return first === undefined || texts.length === 1 ? first : `${first} and ${texts.length - 1} more`;
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
