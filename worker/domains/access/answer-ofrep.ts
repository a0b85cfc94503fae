/**
 * POST /ofrep/v1/evaluate/flags and …/flags/:key: an access check, answered in the shapes of OFREP. The check is evaluated, limited, billed
 * and recorded like any other; its event has the request that the check would have had.
 */
import type { AccessCheckRequest, PropertyAnswer } from '#contracts/public/access';
import {
  type OfrepFlag,
  type OfrepMetadata,
  type OfrepRequest,
  ofrepEndpoints,
  scalarsOf,
} from '#contracts/public/ofrep';
import type { FeatureVerdict } from '#contracts/public/verdict';
import type { Resolution } from '#engine/entitlements/resolution';
import { sha256Hex } from '#runtime/hash';
import { isKnownTag } from '#worker/http/entity-tag';
import { flagNotFound } from '#worker/http/ofrep-error';
import type { AccessResult } from './access-request.ts';
import { answerCheck } from './answer-access-check.ts';
import type { CallBody } from './call-bodies.ts';
import { paramsOf } from './path-params.ts';
import type { PublicAnswer, PublicCall } from './public-call.ts';
import type { RenderedCheck } from './render-check.ts';

type Features = Readonly<
  Record<string, FeatureVerdict & { readonly properties: Readonly<Record<string, PropertyAnswer>> }>
>;

/** A weak entity tag over the values: instants and warnings differ from call to call. @throws {ApiError} */
export async function answerOfrepFlags(
  call: PublicCall,
  body: CallBody<OfrepRequest>,
): Promise<PublicAnswer> {
  let values = '[]';
  const answer = await answerCheck(call, checkOf(body), (rendered, result) => {
    const flags = flagsOf(rendered, result);
    values = JSON.stringify(flags);
    const warned = warningsOf(rendered);
    const told =
      warned === undefined ? values : JSON.stringify(flags.map((flag) => ({ ...flag, metadata: warned })));
    return `{"flags":${told},"metadata":${JSON.stringify(metadataOf(rendered, result))}}`;
  });
  const etag = `W/"${(await sha256Hex(values)).slice(0, 32)}"`;
  return { ...answer, etag, status: isKnownTag(call.request, etag) ? 304 : undefined };
}

/** @throws {ApiError} */
export async function answerOfrepFlag(call: PublicCall, body: CallBody<OfrepRequest>): Promise<PublicAnswer> {
  const { key } = paramsOf(ofrepEndpoints.evaluate, call.request);
  const [feature = ''] = key.split('.', 1);
  let isFound = false;
  const answer = await answerCheck(call, checkOf(body, feature), (rendered, result) => {
    const flag = flagsOf(rendered, result).find((each) => each.key === key);
    isFound = flag !== undefined;
    return JSON.stringify(isFound ? { ...flag, metadata: metadataOf(rendered, result) } : flagNotFound(key));
  });
  return isFound ? answer : { ...answer, status: 404 };
}

/** @param feature slug; absent: all features */
function checkOf({ value }: CallBody<OfrepRequest>, feature?: string): CallBody<AccessCheckRequest> {
  const { targetingKey, userJwt, ...others } = value.context ?? {};
  const context = scalarsOf(others);
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
  return { sent: check, value: check };
}

function flagsOf({ features }: RenderedCheck, { subject: { resolution } }: AccessResult): OfrepFlag[] {
  return Object.entries(JSON.parse(features) as Features).flatMap(([slug, { allowed, properties }]) => [
    { key: slug, value: allowed, reason: 'TARGETING_MATCH' as const },
    ...Object.entries(properties).map(([property, value]) => ({
      key: `${slug}.${property}`,
      value: shownValue(value),
      reason: isDefault(resolution, slug, property) ? ('DEFAULT' as const) : ('TARGETING_MATCH' as const),
    })),
  ]);
}

function shownValue(value: PropertyAnswer): OfrepFlag['value'] {
  if (typeof value !== 'object') return value;
  const { allowed, used = null } = value;
  const { limit = null, remaining = null } = value.state === 'metered' ? value : {};
  return { allowed, used, limit, remaining };
}

function isDefault(resolution: Resolution | null, feature: string, key: string): boolean {
  const property = resolution?.prepared.featureBySlug.get(feature)?.propertyByKey.get(key);
  if (resolution == null || property === undefined) return true;
  const { index, choices } = property;
  return resolution.configured[index] === choices[0] && resolution.overrides?.has(index) !== true;
}

/** Flat, as OpenFeature's flag metadata. */
function metadataOf(rendered: RenderedCheck, { subject: { identity } }: AccessResult): OfrepMetadata {
  const { planSlugs, validUntil } = rendered;
  const { isAuthenticated } = identity;
  return { isAuthenticated, plans: planSlugs.join(','), validUntil, ...warningsOf(rendered) };
}

/** Providers show an application the metadata of each flag only. Undefined without warnings. */
function warningsOf({ warnings }: RenderedCheck): OfrepMetadata | undefined {
  if (warnings.length === 0) return undefined;
  return {
    warnings: warnings.map(({ code }) => code).join(','),
    warningDetails: warnings.map(({ message }) => `${message}.`).join(' '),
  };
}
