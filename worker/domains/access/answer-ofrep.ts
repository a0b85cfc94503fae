/**
 * POST /ofrep/v1/evaluate/flags and …/flags/:key: an access check, answered in the shapes of OFREP. The check is evaluated, limited, billed
 * and recorded like any other; its event has the request that the check would have had.
 */
import type { AccessCheckRequest, PropertyAnswer } from '#contracts/public/access';
import {
  fittingContext,
  type OfrepFlag,
  type OfrepMetadata,
  type OfrepRequest,
  ofrepEndpoints,
} from '#contracts/public/ofrep';
import type { Warning } from '#contracts/public/subjects';
import type { FeatureVerdict } from '#contracts/public/verdict';
import { warningOf } from '#contracts/public/warnings';
import type { AccessResult } from '#engine/access/access-request';
import { flagNotFound } from '#engine/access/ofrep-error';
import type { RenderedCheck } from '#engine/access/render-check';
import type { PreparedPlan } from '#engine/entitlements/prepared-artifact';
import type { Resolution } from '#engine/entitlements/resolution';
import { sha256Hex } from '#runtime/hash';
import { isKnownTag } from '#worker/http/entity-tag';
import { answerCheck } from './answer-access-check.ts';
import type { CallBody } from './call-bodies.ts';
import { paramsOf } from './path-params.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';

type Features = Readonly<
  Record<string, FeatureVerdict & { readonly properties: Readonly<Record<string, PropertyAnswer>> }>
>;

/** A weak entity tag over the values: instants and warnings differ from call to call. @throws {ApiError} */
export async function answerOfrepFlags(
  call: PublicCall,
  body: CallBody<OfrepRequest>,
): Promise<PublicAnswer> {
  let values = '[]';
  const { check, warnings } = checkOf(call, body);
  const answer = await answerCheck(call, check, (rendered, result) => {
    const flags = flagsOf(rendered, result);
    values = JSON.stringify(flags);
    const warned = warningsOf([...warnings, ...rendered.warnings]);
    const metadata = { ...metadataOf(rendered, result), ...warned };
    // Providers show an application the metadata of each flag only.
    return JSON.stringify({ flags: flags.map((flag) => ({ ...flag, metadata: warned })), metadata });
  });
  const etag = `W/"${(await sha256Hex(values)).slice(0, 32)}"`;
  return { ...answer, etag, status: isKnownTag(call.request, etag) ? 304 : undefined };
}

/** @throws {ApiError} */
export async function answerOfrepFlag(call: PublicCall, body: CallBody<OfrepRequest>): Promise<PublicAnswer> {
  const { key } = paramsOf(ofrepEndpoints.evaluate, call.request);
  const [feature = ''] = key.split('.', 1);
  let isFound = false;
  const { check, warnings } = checkOf(call, body, feature);
  const answer = await answerCheck(call, check, (rendered, result) => {
    const flag = flagsOf(rendered, result).find((each) => each.key === key);
    isFound = flag !== undefined;
    const warned = warningsOf([...warnings, ...rendered.warnings]);
    const metadata = { ...metadataOf(rendered, result), ...warned };
    return JSON.stringify(isFound ? { ...flag, metadata } : flagNotFound(key));
  });
  return isFound ? answer : { ...answer, status: 404 };
}

interface CheckOfFlags {
  readonly check: CallBody<AccessCheckRequest>;
  /** About what the check does not have of the context. */
  readonly warnings: readonly Warning[];
}

/** @param feature slug; absent: all features */
function checkOf(
  { authenticated: { key } }: PublicCall,
  { value }: CallBody<OfrepRequest>,
  feature?: string,
): CheckOfFlags {
  const { targetingKey, userJwt } = value.context ?? {};
  const { context, leftOut } = fittingContext(value.context ?? {});
  const isNobody = key.type === 'secret' && targetingKey === undefined && userJwt === undefined;
  const warnings = [
    ...(isNobody ? [warningOf('no-targeting-key')] : []),
    ...(leftOut.length === 0 ? [] : [warningOf('context-left-out', listed(leftOut))]),
  ];
  const check: AccessCheckRequest = {
    // Web providers need a targetingKey of their own beside the token.
    ...(userJwt !== undefined
      ? { userJwt }
      : targetingKey !== undefined
        ? { userIdentifier: targetingKey }
        : {}),
    ...(feature === undefined ? {} : { features: [feature] }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
  return { check: { sent: check, value: check }, warnings };
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
  { features }: RenderedCheck,
  { subject: { resolution } }: AccessResult,
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
  const setting = planIndexes.flatMap((each) => {
    const { plan, propertyIndexes, choiceIndexes } = prepared.plans[each] as PreparedPlan;
    const place = propertyIndexes.indexOf(index);
    return place === -1 ? [] : [{ slug: plan.slug, choice: choices[choiceIndexes[place] as number] }];
  });
  return (setting.find(({ choice }) => choice === configured[index]) ?? setting[0])?.slug ?? DEFAULT;
}

/** Flat, as OpenFeature's flag metadata. */
function metadataOf(rendered: RenderedCheck, { subject: { identity } }: AccessResult): OfrepMetadata {
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
