/** Explains for every property which plan, override or workflow decided its value. Computed only on request. */
import type { PlanSource } from '#contracts/public/access';
import type { PropertyValue } from '#contracts/public/values';
import { sourceWords } from '../balances/source-words.ts';
import { isPartOf, mergeValues } from '../merge/merge-values.ts';
import { multiplyValue } from '../merge/multiply-value.ts';
import { ruleWords } from '../merge/rule-words.ts';
import { valueWords } from '../merge/value-words.ts';
import { heldOf, type MeteredAnswer, usedOf } from '../metering/read-meter.ts';
import { entityKey } from '../metering/reading-key.ts';
import { dayOf } from '../text/day-of.ts';
import { formatNumber } from '../text/format-number.ts';
import { costWords } from '../values/cost-words.ts';
import { costIn } from './cost-in.ts';
import type { LimitPart } from './plan-anchors.ts';
import { ONCE } from './plan-set.ts';
import type { PlanSources, WithheldPlan } from './plan-sources.ts';
import { planValueOf } from './plan-value.ts';
import type { PreparedCost, PreparedProperty } from './prepared-artifact.ts';
import { readPayer } from './read-cost.ts';
import { readOwnMeter } from './read-own-meter.ts';
import type { Readings } from './render-features.ts';
import type { Resolution } from './resolution.ts';
import { resolvedValue } from './resolve.ts';

export interface Explanation {
  feature: string;
  property: string;
  value: PropertyValue;
  /** Of a meterable property whose usage was read. */
  used?: number;
  /** What open holds have taken beside it; absent if that is nothing. */
  held?: number;
  /** Slugs of the plans that configure this value, or what replaced them. */
  decidedBy: string[] | 'default' | { override: string };
  /** The subscription from which the meter's billing windows are counted, or `grant`. Absent if they follow the calendar. */
  anchoredBy?: string;
  /** One sentence for people. */
  reason: string;
  /** The value from each of the subject's plans that configures the property, and why the subject has the plan. */
  candidates: {
    plan: string;
    /** Times the quantity, if the plan comes with one. */
    value: PropertyValue;
    from: PlanSource[];
  }[];
}

const OPENED = 'Opened by a balance of the customer, without a plan.';
const FEATURE_OFF = 'The feature is off, so its meters are off.';
const NO_SOURCES: PlanSources = new Map();
/** Plans of different values that a sentence names. `candidates` has all. */
const MAX_NAMED = 4;

/** What was read of the customer's usage, and when. */
export interface ReadUsage {
  readonly readings: Readings;
  readonly now: number;
  /** The entity that the call names. */
  readonly entity?: string | undefined;
}

/** @returns null without readings */
export const readUsage = (readings: Readings | null | undefined, now: number): ReadUsage | null =>
  readings == null ? null : { readings, now };

/** In the artifact's order of features and properties. */
export function explain(
  resolution: Resolution,
  sources: PlanSources = NO_SOURCES,
  usage: ReadUsage | null = null,
  withheld: readonly WithheldPlan[] = [],
): Explanation[] {
  const { prepared, planIndexes, quantities, trials } = resolution;
  const candidates = prepared.properties.map((): Candidate[] => []);
  for (const planIndex of planIndexes) {
    const plan = prepared.plans[planIndex];
    const factors = quantities?.get(planIndex) ?? ONCE;
    const sourceLists = sourcesByFactor(factors, sources.get(planIndex) ?? [], prepared.hasSums);
    for (const [place, quantity] of factors.entries()) {
      const from = sourceLists[place] ?? [];
      plan?.propertyIndexes.forEach((index, at) => {
        const property = prepared.properties[index];
        const configured = planValueOf(prepared, planIndex, at, trials);
        if (property === undefined || configured === undefined) return;
        const value = multiplyValue(property.type, configured, quantity);
        const isTrial = trials?.has(planIndex) === true && plan.trialLimits?.has(index) === true;
        candidates[index]?.push({
          ...{ plan: plan.plan.slug, name: plan.plan.name },
          ...{ value, quantity, from, isTrial },
        });
      });
    }
  }
  const explanations = prepared.properties.map((property) =>
    explainOne(resolution, property, candidates[property.index] ?? [], usage),
  );
  for (const { index, subscriptionId, reason } of withheld) {
    if (planIndexes.includes(index)) continue;
    const { plan, propertyIndexes } = prepared.plans[index] ?? { propertyIndexes: [] };
    for (const each of propertyIndexes) {
      const explanation = explanations[each];
      if (explanation && plan)
        explanation.reason += ` '${plan.slug}' of ${subscriptionId} does not count: ${reason}.`;
    }
  }
  return prepared.properties.map(({ index, featureIndex }) => {
    const explanation = explanations[index] as Explanation;
    const enabled = prepared.features[featureIndex]?.enabled;
    if (enabled == null || resolution.choices[index] === resolution.configured[index]) return explanation;
    const { decidedBy = explanation.decidedBy } = explanations[enabled.index] ?? {};
    return { ...explanation, decidedBy, reason: FEATURE_OFF };
  });
}

/**
 * Which sources each factor of a plan comes from. Where values add up, each source that comes times a quantity has a factor of its own, and
 * the others share one.
 */
function sourcesByFactor(
  factors: readonly number[],
  sources: readonly PlanSource[],
  hasSums: boolean,
): (readonly PlanSource[])[] {
  if (!hasSums) return factors.map((factor) => sources.filter(({ quantity = 1 }) => quantity === factor));
  const shared = sources.filter(({ quantity }) => quantity === undefined);
  const groups = [...(shared.length === 0 ? [] : [shared])];
  groups.push(...sources.filter(({ quantity }) => quantity !== undefined).map((source) => [source]));
  return factors.map((factor) => {
    const place = groups.findIndex(([source]) => (source?.quantity ?? 1) === factor);
    return groups.splice(place, place === -1 ? 0 : 1)[0] ?? [];
  });
}

interface Candidate {
  plan: string;
  name: string;
  value: PropertyValue;
  /** What the plan's own value is multiplied by. */
  quantity: number;
  from: readonly PlanSource[];
  /** Its limit is that of a trial of the plan. */
  isTrial: boolean;
}

function explainOne(
  resolution: Resolution,
  entry: PreparedProperty,
  candidates: Candidate[],
  usage: ReadUsage | null,
): Explanation {
  const reading = usage?.readings.get(entry.property.id);
  const override = resolution.overrides?.get(entry.index);
  const { conflictResolution, key } = entry.property;
  const { limitOrder } = resolution.prepared;
  const merged = mergeValues(
    entry.type,
    conflictResolution,
    candidates.map(({ value }) => value),
    limitOrder,
  );
  const isMerged = ({ value }: Candidate) =>
    merged !== undefined && isPartOf(entry.type, conflictResolution, value, merged);
  const winning = candidates.filter(isMerged);
  const deciding = [...new Set(winning.map(({ plan }) => plan))];
  const rule = ruleWords(
    entry.type,
    conflictResolution,
    candidates.map(({ value }) => value),
    limitOrder,
  );
  let decidedBy: Explanation['decidedBy'] = deciding;
  let reason = `Set by the ${deciding.length === 1 ? 'plan' : 'plans'} ${listed(deciding)}.`;
  if (override !== undefined) {
    decidedBy = { override: override.source };
    reason = overrideReason(override.source);
  } else if (resolution.opened?.has(entry.index)) {
    decidedBy = 'default';
    reason = OPENED;
  } else if (candidates.length === 0) {
    decidedBy = 'default';
    reason = 'No plan sets this property, so its default applies.';
  } else if (rule !== null) {
    const all = [...winning, ...candidates.filter((each) => !winning.includes(each))];
    const texts = all.map(({ name, value }) => `${name} sets ${valueWords(entry.type, value)}`);
    reason = `${settings(conflictResolution === 'sum' ? texts : [...new Set(texts)])}; ${rule}.`;
  }
  if (override === undefined) reason += winning.map(subscribed).join('');
  if (usage !== null) {
    const quota = decidedBy === deciding ? winning.map(({ name }) => name) : [];
    const drawn = drawnWords(resolution, entry, usage, [...new Set(quota)].join(' and ') || 'the quota');
    if (drawn !== '') reason += ` ${drawn}`;
    reason += entityWords(resolution, entry, usage);
  }
  const cost = costIn(resolution, entry);
  if (cost !== null) reason += ` ${costReason(resolution, cost, usage)}`;
  const anchor = resolution.anchors?.get(entry.index);
  if (anchor?.isContinued) reason += ` The period of ${anchor.by}, which has ended, goes on.`;
  if (anchor?.parts !== undefined) reason += ` ${partsWords(anchor.parts)}`;
  return {
    feature: entry.feature.slug,
    property: key,
    value: resolvedValue(resolution, entry),
    ...(reading !== undefined && { used: usedOf(reading) }),
    ...(heldOf(reading) > 0 && { held: heldOf(reading) }),
    decidedBy,
    ...(anchor !== undefined && { anchoredBy: anchor.by }),
    reason,
    candidates: candidates.map(({ plan, value, from }) => ({ plan, value, from: [...from] })),
  };
}

/** What is left of the quota, the customer's balances and what rolled over, and what is used above; empty text for a meter with a quota alone. */
function drawnWords(
  resolution: Resolution,
  entry: PreparedProperty,
  { readings, now }: ReadUsage,
  quota: string,
): string {
  const value = resolvedValue(resolution, entry);
  if (typeof value !== 'object') return '';
  const reading = readings.get(entry.property.id);
  const meter = readOwnMeter(resolution, entry, value, reading, { now, isListed: true });
  if (meter.state !== 'metered') return '';
  return [sourceWords(meter, quota), overageReason(meter)].filter((text) => text !== '').join(' ');
}

/** 'Overage is allowed up to 500: 120 so far.'; empty text if none is allowed. */
function overageReason({ overage = 0, overageLimit }: MeteredAnswer): string {
  if (overageLimit === undefined) return '';
  const most = overageLimit === null ? '' : ` up to ${formatNumber(overageLimit)}`;
  return `Overage is allowed${most}: ${formatNumber(overage)} so far.`;
}

/** 'The limit of this period is made of 100 until 11 March 2026, 500 from then on, each for its share.' */
function partsWords(parts: readonly LimitPart[]): string {
  const each = parts.map(({ limit }, place) => {
    const next = parts[place + 1];
    return `${formatNumber(limit)} ${next === undefined ? 'from then on' : `until ${dayOf(next.from)}`}`;
  });
  return `The limit of this period is made of ${each.join(', ')}, each for its share.`;
}

/** 'Each one costs 0.25 of ai.credits, which has 7,600 left.' */
function costReason(resolution: Resolution, cost: PreparedCost, usage: ReadUsage | null): string {
  const { payer, thousandths } = cost;
  const costs = `Each one costs ${costWords(thousandths, `${payer.feature.slug}.${payer.property.key}`)}`;
  if (usage === null) return `${costs}.`;
  const meter = readPayer(resolution, cost, usage.readings, usage);
  const has = meter.state === 'metered' ? `has ${formatNumber(meter.remaining)} left` : `is ${meter.state}`;
  return `${costs}, which ${has}.`;
}

/** A further sentence about the entity of the call, where each has a limit. */
function entityWords(
  resolution: Resolution,
  { index, property: { id } }: PreparedProperty,
  { readings, now, entity }: ReadUsage,
): string {
  const value = resolution.choices[index]?.value;
  if (entity === undefined || typeof value !== 'object') return '';
  const named = { id: entity, reading: readings.get(entityKey(id)) };
  const meter = readOwnMeter(resolution, { index }, value, readings.get(id), { now, entity: named });
  if (meter.state === 'off' || meter.entity === undefined) return '';
  const { used = 0, held = 0, limit, remaining = 0, hasSeat } = meter.entity;
  if (hasSeat === false) return ` ${entity} has no seat.`;
  const [one, all, left] = [used, limit, remaining].map(formatNumber);
  const more = held === 0 ? '' : ` and holds ${formatNumber(held)}`;
  return ` ${entity} has used ${one} of ${all}${more}, ${left} left.`;
}

/** @param source an override's */
export function overrideReason(source: string): string {
  return `Set by ${source}, which takes precedence over every plan.`;
}

/** A further sentence if the plan comes with subscriptions, or times a quantity. */
function subscribed({ plan, quantity, from, isTrial }: Candidate): string {
  const products = from.flatMap(({ kind, productId, priceId, subscriptionId, reason }) =>
    kind === 'subscription'
      ? [`${priceId ?? productId} of ${subscriptionId}${reason === undefined ? '' : ` (${reason})`}`]
      : [],
  );
  const times = quantity === 1 ? '' : `, times ${quantity}`;
  const trial = isTrial ? `, in a trial, which has a limit of its own` : '';
  if (products.length === 0) return times && ` '${plan}' counts times ${quantity}.`;
  return ` '${plan}' comes with ${products.join(' and ')}${times}${trial}.`;
}

/** For example 'Team sets 25, Free sets 3'. */
function settings(texts: readonly string[]): string {
  const named = texts.slice(0, MAX_NAMED);
  const more = texts.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more differ`;
}

/** For example "'free', 'starter' and 'team'". */
function listed(slugs: readonly string[]): string {
  const quoted = slugs.map((slug) => `'${slug}'`);
  const rest = quoted.slice(0, -1);
  return rest.length === 0 ? quoted.join() : `${rest.join(', ')} and ${quoted.at(-1)}`;
}
