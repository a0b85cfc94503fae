/**
 * Computes the answer of renderFeatures as plain objects, without templates. The console displays it, and tests compare
 * renderFeatures against it. The objects have no prototype, so any slug is a safe key.
 */
import type { FeatureVerdict } from '#contracts/public/verdict';
import { nextChangeOf } from '../balances/drawing-order.ts';
import { type MeterAnswer, readMeter } from '../metering/read-meter.ts';
import { plansOf, type Subject } from './plans-of.ts';
import type { PreparedArtifact, PreparedProperty } from './prepared-artifact.ts';
import { MAX_VALIDITY_MS, type Readings } from './render-features.ts';
import type { Resolution } from './resolution.ts';
import { resolve, resolvedValue } from './resolve.ts';
import { type CountedMeter, denialReason, isFeatureOn, verdictOf } from './verdict.ts';

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

/** Accepts resolutions with overrides too. @param counted what the call counted, if it did */
export function evaluateResolution(
  resolution: Resolution,
  readings: Readings | null,
  now: number,
  counted: CountedMeter | null = null,
): Evaluation {
  const features: Evaluation['features'] = Object.create(null);
  let validUntil = now + MAX_VALIDITY_MS;
  for (const each of resolution.balances?.values() ?? [])
    validUntil = Math.min(validUntil, nextChangeOf(each, now));
  for (const feature of resolution.prepared.features) {
    const properties: Record<string, PropertyAnswer> = Object.create(null);
    const tally = { open: 0, usedUp: 0 };
    for (const entry of feature.properties) {
      const answer = answerOf(resolution, entry, readings, now);
      properties[entry.property.key] = answer;
      if (typeof answer !== 'object') continue;
      if (answer.allowed) tally.open += 1;
      else if (answer.state === 'metered') tally.usedUp += 1;
      if (answer.state === 'metered' && answer.resetsAt !== null) {
        validUntil = Math.min(validUntil, answer.resetsAt);
      }
    }
    const own = counted?.feature === feature.slug ? counted : null;
    const reason = denialReason(isFeatureOn(resolution, feature), tally, own);
    features[feature.slug] = { properties, ...verdictOf(reason) };
  }
  return { planSlugs: resolution.planSlugs, features, validUntil };
}

function answerOf(
  resolution: Resolution,
  entry: PreparedProperty,
  readings: Readings | null,
  now: number,
): PropertyAnswer {
  const value = resolvedValue(resolution, entry);
  const { index, property } = entry;
  const { anchors, balances } = resolution;
  return typeof value === 'object'
    ? readMeter(value, readings?.get(property.id), now, anchors?.get(index)?.at, balances?.get(index))
    : value;
}
