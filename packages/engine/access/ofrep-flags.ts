/**
 * OpenFeature's remote evaluation protocol: an access check as flags. `feature` is the verdict and `feature.property` a value, split at the
 * first dot.
 */
import type { AccessCheckRequest, PropertyAnswer } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import { callWarningOf } from '#contracts/public/call-warnings';
import { fittingContext } from '#contracts/public/check-context';
import { problemOfOpaque } from '#contracts/public/identifiers';
import type { OfrepFlag, OfrepMetadata, OfrepRequest } from '#contracts/public/ofrep';
import type { Warning } from '#contracts/public/subjects';
import type { FeatureVerdict } from '#contracts/public/verdict';
import type { PreparedPlan } from '../entitlements/prepared-artifact.ts';
import type { Resolution } from '../entitlements/resolution.ts';
import type { Identity } from './identify-subject.ts';
import { flagNotFound } from './ofrep-error.ts';
import type { RenderedCheck } from './render-check.ts';

type Features = Readonly<
  Record<string, FeatureVerdict & { readonly properties: Readonly<Record<string, PropertyAnswer>> }>
>;

/** Of the check that the flags are of. */
type Answered = Pick<RenderedCheck, 'features' | 'planSlugs' | 'validUntil' | 'warnings'>;

interface Decided {
  readonly subject: { readonly resolution: Resolution | null; readonly identity: Identity };
}

export interface CheckOfFlags {
  readonly check: AccessCheckRequest;
  /** About what the check does not have of the context. */
  readonly warnings: readonly Warning[];
}

/** @param key of one flag; absent: all flags */
export function checkOfFlags(
  keyType: ApiKeyType,
  { context: sent = {} }: Readonly<OfrepRequest>,
  key?: string,
): CheckOfFlags {
  const { targetingKey, userJwt, entityId } = sent;
  const { context, leftOut } = fittingContext(sent);
  const [feature = ''] = key?.split('.', 1) ?? [];
  const isNobody = keyType === 'secret' && targetingKey === undefined && userJwt === undefined;
  const warnings = [
    ...(isNobody ? [callWarningOf('no-targeting-key')] : []),
    ...(leftOut.length === 0 ? [] : [callWarningOf('context-left-out', listed(leftOut))]),
  ];
  const check: AccessCheckRequest = {
    // Web providers need a targetingKey of their own beside the token.
    ...(userJwt !== undefined
      ? { userJwt }
      : targetingKey !== undefined
        ? { userIdentifier: targetingKey }
        : {}),
    ...(keyType === 'secret' && isEntityId(entityId) ? { entityId } : {}),
    ...(key === undefined ? {} : { features: [feature] }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
  return { check, warnings };
}

/** Of an application's own attribute of that name that is none, workflows receive what it is. */
function isEntityId(sent: unknown): sent is string {
  return typeof sent === 'string' && problemOfOpaque(sent) === null;
}

export interface WrittenFlags {
  /** The body of the answer. */
  readonly text: string;
  /** What an entity tag is made of: instants and warnings differ from call to call. */
  readonly values: string;
}

/** All flags. @param warnings of the context */
export function writeFlags(rendered: Answered, result: Decided, warnings: readonly Warning[]): WrittenFlags {
  const flags = flagsOf(rendered, result);
  const warned = warningsOf([...warnings, ...rendered.warnings]);
  const metadata = { ...metadataOf(rendered, result), ...warned };
  // Providers show an application the metadata of each flag only. A flag is written once: its metadata follows what it has.
  const written = flags.map((flag) => JSON.stringify(flag));
  const end = `,"metadata":${JSON.stringify(warned)}}`;
  const all = written.map((flag) => flag.slice(0, -1) + end).join();
  return {
    text: `{"flags":[${all}],"metadata":${JSON.stringify(metadata)}}`,
    values: `[${written.join()}]`,
  };
}

/** One flag, or that there is none of the key. @param warnings of the context */
export function writeFlag(
  key: string,
  rendered: Answered,
  result: Decided,
  warnings: readonly Warning[],
): { readonly text: string; readonly isFound: boolean } {
  const flag = flagsOf(rendered, result).find((each) => each.key === key);
  const warned = warningsOf([...warnings, ...rendered.warnings]);
  const metadata = { ...metadataOf(rendered, result), ...warned };
  const isFound = flag !== undefined;
  return { isFound, text: JSON.stringify(isFound ? { ...flag, metadata } : flagNotFound(key)) };
}

/** Names that a warning lists, each cut to as many characters. */
const MAX_LISTED = 5;
const MAX_LISTED_CHARACTERS = 40;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map((name) => `"${name.slice(0, MAX_LISTED_CHARACTERS)}"`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

function flagsOf(
  { features }: Answered,
  { subject: { resolution } }: Decided,
): Omit<OfrepFlag, 'metadata'>[] {
  return Object.entries(JSON.parse(features) as Features).flatMap(([slug, { allowed, properties }]) => [
    { key: slug, value: allowed, reason: 'TARGETING_MATCH' as const, variant: onOrOff(allowed) },
    ...Object.entries(properties).map(([property, value]) => {
      const deciding = decidingSource(resolution, slug, property);
      return {
        key: `${slug}.${property}`,
        value: shownValue(value),
        reason: deciding === DEFAULT ? ('DEFAULT' as const) : ('TARGETING_MATCH' as const),
        variant: typeof value === 'boolean' ? onOrOff(value) : deciding,
      };
    }),
  ]);
}

const onOrOff = (isOn: boolean) => (isOn ? 'on' : 'off');

function shownValue(value: PropertyAnswer): OfrepFlag['value'] {
  if (typeof value !== 'object') return value;
  const { allowed, used = null } = value;
  const { limit = null, remaining = null } = value.state === 'metered' ? value : {};
  return { allowed, used, limit, remaining };
}

const DEFAULT = 'default';

/** The slug of a plan that sets the value, or what replaces it. Of values that add up, the first that is part of the sum. */
function decidingSource(resolution: Resolution | null, feature: string, key: string): string {
  const property = resolution?.prepared.featureBySlug.get(feature)?.propertyByKey.get(key);
  if (resolution == null || property === undefined) return DEFAULT;
  const { index, choices } = property;
  if (resolution.overrides?.has(index) === true) return 'override';
  const { prepared, planIndexes, configured } = resolution;
  if (configured[index] === choices[0]) return DEFAULT;
  let first: string | undefined;
  for (const each of planIndexes) {
    const { plan, propertyIndexes, choiceIndexes } = prepared.plans[each] as PreparedPlan;
    const place = propertyIndexes.indexOf(index);
    if (place === -1) continue;
    if (choices[choiceIndexes[place] as number] === configured[index]) return plan.slug;
    first ??= plan.slug;
  }
  return first ?? DEFAULT;
}

/** Flat, as OpenFeature's flag metadata. */
function metadataOf(rendered: Answered, { subject: { identity } }: Decided): OfrepMetadata {
  const { planSlugs, validUntil } = rendered;
  const { isAuthenticated } = identity;
  return { isAuthenticated, plans: planSlugs.join(','), validUntil };
}

/** In the words of the protocol: it names the user in targetingKey. */
function warningsOf(warnings: readonly Warning[]): OfrepMetadata {
  if (warnings.length === 0) return {};
  return {
    warnings: warnings.map(({ code }) => code).join(','),
    warningDetails: warnings
      .map(({ message }) => `${message.replaceAll('userIdentifier', 'targetingKey')}.`)
      .join(' '),
  };
}
