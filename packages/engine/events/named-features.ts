/** The features that a call is about. A check of all features names none: it asks what there is. */
import type { EventType } from '#contracts/console/events';

const NONE: readonly never[] = [];

/**
 * Their slugs, without repetition: those that a check lists and the one that it counts on, or an update's own.
 * @param request as recorded; of earlier releases, and of refused calls, anything
 */
export function namedFeatures(type: EventType, request: unknown): readonly string[] {
  if (typeof request !== 'object' || request === null) return NONE;
  const { features, feature, consume } = request as Readonly<Record<string, unknown>>;
  if (type === 'cu') return typeof feature === 'string' ? [feature] : NONE;
  const counted =
    typeof consume === 'object' && consume !== null && 'feature' in consume ? consume.feature : null;
  const named = [...(Array.isArray(features) ? (features as unknown[]) : NONE), counted];
  return [...new Set(named.filter((each) => typeof each === 'string'))];
}
