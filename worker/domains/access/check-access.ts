/**
 * One access check, decided in two steps around the one thing that may have to be waited for, the ledger: who is asked
 * about and which values hold; then the answer, written as text, most of which stands ready. Pure but for the memory
 * inside the prepared artifact.
 */
import type { AccessCheckRequest } from '#contracts/access';
import { type CustomerFacts, isEmptyFacts } from '#contracts/customer-facts';
import type { EnvironmentType } from '#contracts/environments';
import type { LedgerRead } from '#contracts/ledger';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import { type AppliedFacts, applyFacts } from '#engine/entitlements/apply-facts';
import { type Explanation, explain } from '#engine/entitlements/explain';
import { type PlanSources, planSources } from '#engine/entitlements/plan-sources';
import { plansOf } from '#engine/entitlements/plans-of';
import type { PreparedArtifact } from '#engine/entitlements/prepared-artifact';
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

/** Who is asked about, and for what. */
export interface IdentifiedCheck {
  readonly identity: Identity;
  /** The features asked for; undefined is all. */
  readonly only: ReadonlySet<string> | undefined;
  /** What the caller is to be told; the ledger may add to it. */
  readonly warnings: Warning[];
}

export interface ResolvedCheck<Customer extends string | null = string | null> extends IdentifiedCheck {
  /** Whose ledger counts: the identity's identifier, or the Stripe customer that it is a name of. Null if anonymous. */
  readonly customer: Customer;
  /** What is known of the customer, as it is believed. */
  readonly facts: CustomerFacts;
  /** When the first of it ends; infinity where nothing does. */
  readonly factsUntil: number;
  /** Null where nothing is deployed. */
  readonly resolution: Resolution | null;
  /** The readings that the answer needs: none for anonymous subjects, who have no ledger. */
  readonly reads: readonly LedgerRead[];
}

const NONE: readonly never[] = [];
const STALE = warningOf('snapshot-stale');
const NOT_EXPLAINED = warningOf('explain-needs-secret-key');
const NOTHING_DEPLOYED = warningOf('nothing-deployed');

/** @throws {ApiError} invalid-request */
export function identifyCheck(
  { loaded, key }: Authenticated,
  request: AccessCheckRequest,
  { now, isExplained, verdict }: CheckContext,
): IdentifiedCheck {
  const warnings: Warning[] = [];
  const identity = identifySubject(request, verdict, key.type, warnings);
  if (now - loaded.confirmedAt > WARN_AFTER_MS) warnings.push(STALE);
  if (isExplained && key.type !== 'secret') warnings.push(NOT_EXPLAINED);
  if (loaded.prepared === null) warnings.push(NOTHING_DEPLOYED);
  return { identity, only: request.features === undefined ? undefined : new Set(request.features), warnings };
}

/** Which values hold, by what is known of the customer; to be asked again when more is. */
export function resolveCheck<Customer extends string | null>(
  { loaded: { prepared, snapshot } }: Pick<Authenticated, 'loaded'>,
  { identity, only, warnings }: IdentifiedCheck,
  facts: CustomerFacts,
  customer: Customer,
  now: number,
): ResolvedCheck<Customer> {
  if (prepared === null) {
    return { identity, only, warnings, customer, facts, factsUntil: Infinity, resolution: null, reads: NONE };
  }
  const { resolution, until } = standingOf(prepared, identity, facts, snapshot.environmentType, now);
  const reads = customer === null ? NONE : readsOf(resolution, only);
  return { identity, only, warnings, customer, facts, factsUntil: until, resolution, reads };
}

const appliedFacts = new WeakMap<CustomerFacts, { readonly prepared: PreparedArtifact } & AppliedFacts>();

/** What an isolate remembers of a customer is applied once, and again when some of it has ended. */
export function standingOf(
  prepared: PreparedArtifact,
  identity: Pick<Identity, 'isAuthenticated'>,
  facts: CustomerFacts,
  environmentType: EnvironmentType,
  now: number,
): AppliedFacts {
  if (!identity.isAuthenticated || isEmptyFacts(facts)) {
    return { resolution: resolve(prepared, plansOf(prepared, identity)), until: Infinity, refused: NONE };
  }
  const known = appliedFacts.get(facts);
  if (known !== undefined && known.prepared === prepared && now < known.until) return known;
  const applied = { prepared, ...applyFacts(prepared, identity, facts, environmentType, now) };
  appliedFacts.set(facts, applied);
  return applied;
}

/** The ledger's word is needed where usage matters, and where something may have been said of the customer. */
export function needsLedger(
  { loaded: { snapshot } }: Pick<Authenticated, 'loaded'>,
  { identity, resolution, reads }: ResolvedCheck,
): boolean {
  if (identity.identifier === null || resolution === null) return false;
  return reads.length > 0 || snapshot.hasCustomerFacts === true;
}

/** Whether the readings of one are all that the other needs. */
export function hasSameReads(one: ResolvedCheck, other: ResolvedCheck): boolean {
  return one.reads === other.reads || JSON.stringify(one.reads) === JSON.stringify(other.reads);
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
  /** The JSON of the answer, in parts: first what is this answer's alone, from the opening brace. */
  readonly head: string;
  /** What many answers share: identity, customer, warnings; begins with a comma. */
  readonly shared: string;
  /** The value of `features`: one text for all subjects with the same values. */
  readonly features: string;
}

/** The whole answer. */
export function textOf({ head, shared, features }: CheckedAccess): string {
  return `${head}${shared},"features":${features}}`;
}

/** @param readings of the meters; null where nothing is counted */
export function writeCheck(
  { loaded, key }: Authenticated,
  { identity, resolution, only, warnings, customer: whose, facts, factsUntil }: ResolvedCheck,
  { requestId, now, isExplained }: CheckContext,
  readings: Readings | null,
  consumed: ConsumedUsage | null,
): CheckedAccess {
  const open = `{"status":"success","requestId":"${requestId}"`;
  const who = `"identity":{"isAuthenticated":${identity.isAuthenticated},"method":"${identity.method}"}`;
  const { artifact, environmentType } = loaded.snapshot;
  if (resolution === null || artifact === null) {
    return {
      ...{ identity, warnings, planSlugs: NONE, featureSlugs: NONE, features: '{}' },
      head: `${open},"version":null,"asOf":${now},"validUntil":${now}`,
      shared: `,${who},"customer":{"isCustomer":false,"plans":[]},"warnings":${JSON.stringify(warnings)}`,
    };
  }
  const { json, validUntil, unknownFeatures } = renderFeatures(resolution, readings, now, only);
  if (!isEmptyFacts(facts)) {
    for (const { property } of standingOf(resolution.prepared, identity, facts, environmentType, now)
      .refused) {
      warnings.push(warningOf('override-left-out', `${property.feature.slug}.${property.property.key}`));
    }
  }
  for (const slug of unknownFeatures) warnings.push(warningOf('feature-unknown', slug));
  const until = Math.max(now, Math.min(validUntil, identity.expiresAt, factsUntil));
  const version = `{"artifactId":"${artifact.id}","number":${artifact.number}}`;
  const isCustomer = isStripeCustomer({ identity, customer: whose, facts });
  const customer = `{"isCustomer":${isCustomer},"plans":${resolution.planSlugsText}}`;
  const told = warnings.length === 0 ? '[]' : JSON.stringify(warnings);
  const explanation =
    isExplained && key.type === 'secret'
      ? `,"explanation":${JSON.stringify(explainOnly(resolution, only, planSources(resolution.prepared, identity, facts, environmentType, now)))}`
      : '';
  return {
    ...{ identity, warnings, planSlugs: resolution.planSlugs, features: json },
    featureSlugs: only === undefined ? loaded.featureSlugs : [...only],
    head: `${open},"version":${version},"asOf":${now},"validUntil":${until}${consumedText(consumed)}${explanation}`,
    shared: `,${who},"customer":${customer},"warnings":${told}`,
  };
}

/** Known to a connected Stripe account, by id or by e-mail address. */
export function isStripeCustomer({
  identity,
  customer,
  facts,
}: Pick<ResolvedCheck, 'identity' | 'customer' | 'facts'>): boolean {
  return Boolean(facts.stripe) || customer !== identity.identifier;
}

function explainOnly(
  resolution: Resolution,
  only: ReadonlySet<string> | undefined,
  sources: PlanSources,
): readonly Explanation[] {
  return explain(resolution, sources).filter(({ feature }) => only === undefined || only.has(feature));
}

function consumedText(consumed: ConsumedUsage | null): string {
  if (consumed === null) return '';
  const { accepted, replayed, meter } = consumed;
  return `,"consumed":${JSON.stringify({ accepted, replayed, ...meter })}`;
}
