/** Why an event was denied, in words: 'Limit reached (10,000 of 10,000)', 'Not in plan'. Rows, sentences and the viewer share them. */
import type { Event } from '#contracts/console/events';
import { causeOf, type DenialCause } from '#engine/events/denial-cause';
import { namedFeatures } from '#engine/events/named-features';
import { formatNumber } from '#web/ui/format.ts';
import { fieldOf } from './event-fields.ts';
import { DENIAL_LABELS } from './verdict.tsx';

interface DenialMeter {
  readonly used: number;
  /** What open holds have taken beside it. */
  readonly held?: number;
  readonly limit: number;
  /** When all of it is available again, epoch milliseconds; absent if that does not happen, or not at once. */
  readonly resetsAt?: number;
}

export interface ExplainedDenial {
  /** The feature's slug. */
  readonly feature: string;
  readonly cause: DenialCause;
  /** The meter that refused, after the call; null if the event has none. */
  readonly meter: DenialMeter | null;
}

type Denied = Pick<Event, 'type' | 'request' | 'response' | 'denials' | 'warningCodes'>;

/** Null in events of earlier releases, which have no reasons. */
export function denialsOf(event: Denied): ExplainedDenial[] | null {
  const { denials, warningCodes } = event;
  return (
    denials?.map(({ feature, reason }) => ({
      feature,
      cause: causeOf(reason, warningCodes),
      meter: reason === 'limit-reached' ? reachedMeter(event, feature) : null,
    })) ?? null
  );
}

/**
 * Why the call as a whole was denied. A row says what was asked already, so a reason comes without its feature:
 * 'Not in plan', 'Limit reached (10 of 10)', 'Not in plan, 1 of 3 features'.
 */
export function denialLabel(event: Denied & Pick<Event, 'deniedFeatures'>): string {
  const named = namedFeatures(event.type, event.request);
  const isAsked = (slug: string) => named.length === 0 || named.includes(slug);
  const denied = denialsOf(event)?.filter(({ feature }) => isAsked(feature));
  const reasons = [...new Set(denied?.map((each) => denialWords(withoutHeld(each))))];
  const count = event.deniedFeatures.filter(isAsked).length;
  const label = reasons.length === 0 ? 'Denied' : sentenceOf(reasons);
  return count < named.length && count > 0 ? `${label}, ${count} of ${named.length} features` : label;
}

/** A row has little room: what is held counts as the rest of it. */
function withoutHeld({ cause, meter }: ExplainedDenial): Pick<ExplainedDenial, 'cause' | 'meter'> {
  if (meter === null) return { cause, meter };
  const { held = 0, ...others } = meter;
  return { cause, meter: { ...others, used: meter.used + held } };
}

/** 'Limit reached (10 of 10) and not in plan'. */
function sentenceOf(reasons: readonly string[]): string {
  const [first = '', second, ...others] = reasons;
  if (second === undefined) return first;
  return `${first}${others.length === 0 ? ' and' : ','} ${lowerFirst(second)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** 'Limit reached (10,000 of 10,000)', 'Limit reached (6,000 of 10,000, 4,000 held)'. */
export function denialWords({ cause, meter }: Pick<ExplainedDenial, 'cause' | 'meter'>): string {
  if (meter === null) return DENIAL_LABELS[cause];
  const { used, held = 0, limit } = meter;
  const beside = held === 0 ? '' : `, ${formatNumber(held)} held`;
  return `${DENIAL_LABELS[cause]} (${formatNumber(used)} of ${formatNumber(limit)}${beside})`;
}

/** Within a sentence: 'limit reached (10 of 10)'. */
export const denialPhrase = (denial: Pick<ExplainedDenial, 'cause' | 'meter'>) =>
  lowerFirst(denialWords(denial));

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** What the call counted on decides; otherwise a meter of the feature that is used up. */
function reachedMeter({ type, request, response }: Denied, feature: string): ExplainedDenial['meter'] {
  if (type === 'cu') return meterIn(fieldOf(response, 'meter'));
  if (fieldOf(fieldOf(request, 'consume'), 'feature') === feature)
    return meterIn(fieldOf(response, 'consumed'));
  const properties = fieldOf(fieldOf(fieldOf(response, 'features'), feature), 'properties');
  const values: unknown[] =
    typeof properties === 'object' && properties !== null ? Object.values(properties) : [];
  return meterIn(values.find((value) => fieldOf(value, 'allowed') === false && meterIn(value) !== null));
}

function meterIn(value: unknown): ExplainedDenial['meter'] {
  const [used, held, limit, resetsAt] = ['used', 'held', 'limit', 'resetsAt'].map((name) =>
    fieldOf(value, name),
  );
  if (typeof used !== 'number' || typeof limit !== 'number') return null;
  const isReset = typeof resetsAt === 'number' && fieldOf(value, 'periodType') !== 'fixed';
  return { used, ...(typeof held === 'number' && { held }), limit, ...(isReset && { resetsAt }) };
}
