/**
 * One access check, decided in two steps around the one thing that may have to be waited for, the ledger: who is asked
 * about and which values hold; then the answer, written as text, most of which stands ready. Pure but for the memory
 * inside the prepared artifact.
 */
import type { AccessCheckRequest } from '#contracts/access';
import type { LedgerRead } from '#contracts/ledger';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { explain } from '#engine/entitlements/explain';
import { plansOf } from '#engine/entitlements/plans-of';
import { metersOf, type Readings, renderFeatures } from '#engine/entitlements/render-features';
import type { Resolution } from '#engine/entitlements/resolution';
import { resolve } from '#engine/entitlements/resolve';
import type { MeterAnswer } from '#engine/metering/read-meter';
import type { Verdict } from '#worker/domains/identity/verify-token';
import type { Authenticated } from './authenticate-key.ts';
import { type Identity, identifySubject } from './identify-subject.ts';
import { WARN_AFTER_MS } from './snapshot-cache.ts';

export interface CheckContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly isExplained: boolean;
  /** On the request's userJwt: undefined where it has none. */
  readonly verdict: Verdict | undefined;
}

export interface ResolvedCheck {
  readonly identity: Identity;
  /** Null where nothing is deployed. */
  readonly resolution: Resolution | null;
  /** The features asked for; undefined is all. */
  readonly only: ReadonlySet<string> | undefined;
  /** The readings that the answer needs: none for anonymous subjects, who have no ledger. */
  readonly reads: readonly LedgerRead[];
  /** What the caller is to be told; the ledger may add to it. */
  readonly warnings: Warning[];
}

const NONE: readonly never[] = [];
const STALE = warningOf('snapshot-stale');
const NOT_EXPLAINED = warningOf('explain-needs-secret-key');
const NOTHING_DEPLOYED = warningOf('nothing-deployed');

/** @throws {ApiError} invalid-request */
export function resolveCheck(
  { loaded, key }: Authenticated,
  request: AccessCheckRequest,
  { now, isExplained, verdict }: CheckContext,
): ResolvedCheck {
  const warnings: Warning[] = [];
  const identity = identifySubject(request, verdict, key.type, warnings);
  if (now - loaded.confirmedAt > WARN_AFTER_MS) warnings.push(STALE);
  if (isExplained && key.type !== 'secret') warnings.push(NOT_EXPLAINED);
  const { prepared } = loaded;
  if (prepared === null) {
    warnings.push(NOTHING_DEPLOYED);
    return { identity, resolution: null, only: undefined, reads: NONE, warnings };
  }
  const resolution = resolve(prepared, plansOf(prepared, identity));
  const only = request.features === undefined ? undefined : new Set(request.features);
  const reads = identity.identifier === null ? NONE : readsOf(resolution, only);
  return { identity, resolution, only, reads, warnings };
}

const readsOfResolution = new WeakMap<Resolution, readonly LedgerRead[]>();

function readsOf(resolution: Resolution, only: ReadonlySet<string> | undefined): readonly LedgerRead[] {
  const known = only === undefined ? readsOfResolution.get(resolution) : undefined;
  if (known !== undefined) return known;
  const reads = metersOf(resolution, only).map(({ property, meter }) => ({
    propertyId: property.property.id,
    meter: meter.meter,
  }));
  if (only === undefined) readsOfResolution.set(resolution, reads);
  return reads;
}

export interface ConsumedUsage {
  readonly accepted: boolean;
  readonly replayed: boolean;
  readonly meter: MeterAnswer;
}

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

/** @param readings of the meters; null where nothing is counted */
export function writeCheck(
  { loaded, key }: Authenticated,
  { identity, resolution, only, warnings }: ResolvedCheck,
  { requestId, now, isExplained }: CheckContext,
  readings: Readings | null,
  consumed: ConsumedUsage | null,
): CheckedAccess {
  const open = `{"status":"success","requestId":"${requestId}"`;
  const who = `"identity":{"isAuthenticated":${identity.isAuthenticated},"method":"${identity.method}"}`;
  const { artifact } = loaded.snapshot;
  if (resolution === null || artifact === null) {
    const until = Math.min(now, identity.expiresAt);
    return {
      ...{ identity, warnings, planSlugs: NONE, featureSlugs: NONE, features: '{}' },
      head: `${open},"version":null,"asOf":${now},"validUntil":${until},${who},"customer":{"isCustomer":false,"plans":[]},"warnings":${JSON.stringify(warnings)}`,
    };
  }
  const { json, validUntil, unknownFeatures } = renderFeatures(resolution, readings, now, only);
  for (const slug of unknownFeatures) warnings.push(warningOf('feature-unknown', slug));
  const until = Math.min(validUntil, identity.expiresAt);
  const version = `{"artifactId":"${artifact.id}","number":${artifact.number}}`;
  const customer = `{"isCustomer":false,"plans":${resolution.planSlugsText}}`;
  const told = warnings.length === 0 ? '[]' : JSON.stringify(warnings);
  const explanation =
    isExplained && key.type === 'secret' ? `,"explanation":${JSON.stringify(explain(resolution))}` : '';
  return {
    ...{ identity, warnings, planSlugs: resolution.planSlugs, features: json },
    featureSlugs: only === undefined ? loaded.featureSlugs : [...only],
    head: `${open},"version":${version},"asOf":${now},"validUntil":${until},${who},"customer":${customer},"warnings":${told}${consumedText(consumed)}${explanation}`,
  };
}

function consumedText(consumed: ConsumedUsage | null): string {
  if (consumed === null) return '';
  const { accepted, replayed, meter } = consumed;
  return `,"consumed":${JSON.stringify({ accepted, replayed, ...meter })}`;
}
