/**
 * One access check, decided: from a request that was authenticated and parsed to the text of its answer. Pure but for
 * the memory inside the prepared artifact; the answer is written as text, most of which stands ready.
 */
import type { AccessCheckRequest, Warning } from '#contracts/access';
import { explain } from '#engine/entitlements/explain';
import { plansOf } from '#engine/entitlements/plans-of';
import { renderFeatures } from '#engine/entitlements/render-features';
import { resolve } from '#engine/entitlements/resolve';
import type { Verdict } from '#worker/domains/identity/verify-token';
import type { Authenticated } from './authenticate-key.ts';
import { type Identity, identifySubject } from './identify-subject.ts';
import { WARN_AFTER_MS } from './snapshot-cache.ts';

export interface CheckedAccess {
  readonly identity: Identity;
  readonly planSlugs: readonly string[];
  readonly featureSlugs: readonly string[];
  readonly warnings: readonly Warning[];
  /** The answer's JSON without its `features` member, which comes last, and without the closing brace. */
  readonly head: string;
  /** The JSON of the answer's `features`: one text for all subjects with the same values. */
  readonly features: string;
}

export interface CheckContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly isExplained: boolean;
  /** On the request's userJwt: undefined where it has none. */
  readonly verdict: Verdict | undefined;
}

const NONE: readonly string[] = [];

/** @throws {ApiError} invalid-request */
export function checkAccess(
  { loaded, key }: Authenticated,
  request: AccessCheckRequest,
  { requestId, now, isExplained, verdict }: CheckContext,
): CheckedAccess {
  const { prepared, snapshot } = loaded;
  const warnings: Warning[] = [];
  const identity = identifySubject(request, verdict, key.type, warnings);
  if (now - loaded.confirmedAt > WARN_AFTER_MS) {
    warnings.push({
      code: 'snapshot-stale',
      message: 'The environment could not be refreshed; the answer may be outdated',
    });
  }
  if (isExplained && key.type !== 'secret') {
    warnings.push({
      code: 'explain-needs-secret-key',
      message: 'Explanations are given to secret keys only',
    });
  }
  const open = `{"status":"success","requestId":"${requestId}"`;
  const who = `"identity":{"isAuthenticated":${identity.isAuthenticated},"method":"${identity.method}"}`;

  if (prepared === null || snapshot.artifact === null) {
    warnings.push({ code: 'nothing-deployed', message: 'Nothing is deployed to this environment yet' });
    return {
      identity,
      planSlugs: NONE,
      featureSlugs: NONE,
      warnings,
      head: `${open},"version":null,"asOf":${now},"validUntil":${Math.min(now, identity.expiresAt)},${who},"customer":{"isCustomer":false,"plans":[]},"warnings":${JSON.stringify(warnings)}`,
      features: '{}',
    };
  }

  const resolution = resolve(prepared, plansOf(prepared, identity));
  const only = request.features === undefined ? undefined : new Set(request.features);
  const { json, validUntil, unknownFeatures } = renderFeatures(resolution, null, now, only);
  for (const slug of unknownFeatures) {
    warnings.push({
      code: 'feature-unknown',
      message: `There is no feature with the slug ${slug} in this version`,
    });
  }
  const { id, number } = snapshot.artifact;
  const explanation =
    isExplained && key.type === 'secret' ? `,"explanation":${JSON.stringify(explain(resolution))}` : '';
  return {
    identity,
    planSlugs: resolution.planSlugs,
    featureSlugs: request.features ?? loaded.featureSlugs,
    warnings,
    head: `${open},"version":{"artifactId":"${id}","number":${number}},"asOf":${now},"validUntil":${Math.min(validUntil, identity.expiresAt)},${who},"customer":{"isCustomer":false,"plans":${resolution.planSlugsText}},"warnings":${warnings.length === 0 ? '[]' : JSON.stringify(warnings)}${explanation}`,
    features: json,
  };
}
