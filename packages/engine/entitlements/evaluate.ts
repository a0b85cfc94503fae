/**
 * Computes the answer of renderFeatures as plain objects, without templates. The console displays it, and tests compare
 * renderFeatures against it. The objects have no prototype, so any slug is a safe key.
 */
import type { FeatureVerdict } from '#contracts/public/verdict';
import { nextChangeOf } from '../balances/drawing-order.ts';
import type { MeterAnswer } from '../metering/read-meter.ts';
import { entityKey } from '../metering/reading-key.ts';
import { plansOf, type Subject } from './plans-of.ts';
import type { PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import { withCost } from './read-cost.ts';
import { readOwnMeter } from './read-own-meter.ts';
import { MAX_VALIDITY_MS, NOTHING_BESIDE, type Readings, type SaidBeside } from './render-features.ts';
import type { Resolution } from './resolution.ts';
import { resolve, resolvedValue } from './resolve.ts';
import { denialReason, isFeatureOn, limitOwner, NO_METERS, tallyMeter, verdictOf } from './verdict.ts';

export type PropertyAnswer = number | boolean | string | MeterAnswer;

export interface Evaluation {
  planSlugs: readonly string[];
  features: Record<string, { properties: Record<string, PropertyAnswer> } & FeatureVerdict>;
  validUntil: number;
}

export function evaluate(
  prepared: PreparedArtifact,
  subject: Subject,
  readings: Readings | null,
  now: number,
): Evaluation {
  return evaluateResolution(resolve(prepared, plansOf(prepared, subject)), readings, now);
}

/** Accepts resolutions with overrides too. */
export function evaluateResolution(
  resolution: Resolution,
  readings: Readings | null,
  now: number,
  { counted, isListed, entity } = NOTHING_BESIDE,
): Evaluation {
  const features: Evaluation['features'] = Object.create(null);
  let validUntil = now + MAX_VALIDITY_MS;
  for (const each of resolution.balances?.values() ?? [])
    validUntil = Math.min(validUntil, nextChangeOf(each, now));
  for (const feature of resolution.prepared.features) {
    const properties: Record<string, PropertyAnswer> = Object.create(null);
    const tally = { ...NO_METERS };
    for (const entry of feature.properties) {
      const answer = answerOf(resolution, entry, readings, { now, isListed, entity });
      properties[entry.property.key] = answer;
      if (typeof answer !== 'object') continue;
      tallyMeter(tally, answer);
      if (answer.state === 'metered' && answer.entity?.resetsAt != null) {
        validUntil = Math.min(validUntil, answer.entity.resetsAt);
      }
      if (answer.state === 'metered' && answer.resetsAt !== null) {
        const rolled = readings?.get(entry.property.id)?.rolled ?? [];
        validUntil = Math.min(validUntil, answer.resetsAt, nextChangeOf(rolled, now));
      }
    }
    const own = counted?.feature === feature.slug ? counted : null;
    const isOn = isFeatureOn(resolution, feature);
    const reason = denialReason(isOn, tally, own);
    features[feature.slug] = { properties, ...verdictOf(reason, limitOwner(reason, isOn, tally, own)) };
  }
  return { planSlugs: resolution.planSlugs, features, validUntil };
}

function answerOf(
  resolution: Resolution,
  entry: PreparedProperty,
  readings: Readings | null,
  { now, isListed, entity }: { now: number } & Omit<SaidBeside, 'counted'>,
): PropertyAnswer {
  const value = resolvedValue(resolution, entry);
  if (typeof value !== 'object') return value;
  const { id } = entry.property;
  const each = entity === undefined ? null : { id: entity, reading: readings?.get(entityKey(id)) };
  const meter = readOwnMeter(resolution, entry, value, readings?.get(id), { now, isListed, entity: each });
  return withCost(meter, resolution, entry, readings, { now, entity });
}
