/** The render stage of an access check: writes the answer as JSON text, most of which the prepared artifact has cached. */
import type { NearLimit } from '#contracts/internal/event-batch';
import type { AccessCheckRequest } from '#contracts/public/access';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Warning } from '#contracts/public/subjects';
import type { Denial } from '#contracts/public/verdict';
import { warningOf } from '#contracts/public/warnings';
import type { SubscriptionRules } from '../entitlements/active-products.ts';
import { type Explanation, explain, readUsage } from '../entitlements/explain.ts';
import { factsForIdentifier } from '../entitlements/namesakes.ts';
import { planSources, withheldPlans } from '../entitlements/plan-sources.ts';
import { NOTHING_BESIDE, type Readings } from '../entitlements/render-features.ts';
import { RenderedTexts } from '../entitlements/rendered-texts.ts';
import type { Resolution } from '../entitlements/resolution.ts';
import { subscriptionStates } from '../entitlements/subscription-states.ts';
import { type CountedMeter, countDenial, isFeatureOn } from '../entitlements/verdict.ts';
import { type AccessEnvironment, isStale } from './access-environment.ts';
import type { AccessResult } from './access-request.ts';
import type { CallQuery } from './call-query.ts';
import { type Counted, consumedOf } from './count-usage.ts';
import { explainNames } from './explain-names.ts';
import { isStripeCustomer, type ResolvedSubject } from './resolve-subject.ts';

export interface RenderContext {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly query: CallQuery;
  /** What the request asks for besides features. */
  readonly include?: AccessCheckRequest['include'];
}

interface RenderedFor {
  readonly loaded: AccessEnvironment;
  readonly key: { readonly type: ApiKeyType };
}

export interface RenderedCheck {
  readonly planSlugs: readonly string[];
  readonly featureSlugs: readonly string[];
  /** Features of the answer that are not allowed, and the one that the check counted on. */
  readonly denied: readonly Denial[];
  /** Meters of the answer that are near their limit; null if no meter was read. */
  readonly nearLimits: readonly NearLimit[] | null;
  readonly warnings: readonly Warning[];
  /** Until when the answer may be used, epoch milliseconds. */
  readonly validUntil: number;
  /** The part of the JSON answer that is specific to this check, from the opening brace. */
  readonly head: string;
  /** The part that many answers share: identity, customer and warnings. Begins with a comma. */
  readonly shared: string;
  /** The value of `features`: one text for all subjects with the same values. */
  readonly features: string;
}

const NONE: readonly never[] = [];
const STALE = warningOf('snapshot-stale');
const NOT_EXPLAINED = warningOf('explain-needs-secret-key');
const NOTHING_DEPLOYED = warningOf('nothing-deployed');
const ENTITY_REQUIRED = warningOf('entity-required');

/** About 2,000 answers of 20 features. */
const MAX_RENDERED_BYTES = 12 * 1024 * 1024;
const texts = new RenderedTexts(MAX_RENDERED_BYTES);

/** The whole answer. */
export function textOf({ head, shared, features }: RenderedCheck): string {
  return `${head}${shared},"features":${features}}`;
}

export function renderCheck(
  authenticated: RenderedFor,
  result: AccessResult,
  context: RenderContext,
): RenderedCheck {
  const { loaded, key } = authenticated;
  const { requestId, now, query, include } = context;
  const { subject, usage, counted } = result;
  const { identity, resolution, only, facts, factsUntil, refused } = subject;
  const open = `{"status":"success","requestId":"${requestId}"`;
  const who = `"identity":{"isAuthenticated":${identity.isAuthenticated},"method":"${identity.method}"}`;
  const { snapshot } = loaded;
  const { artifact } = snapshot;
  const more =
    include?.includes('subscriptions') !== true
      ? ''
      : `,"subscriptions":${JSON.stringify(subscriptionStates(factsForIdentifier(facts, identity.identifier), snapshot, now))}`;
  const warnings = result.identityWarnings.concat(snapshotWarnings(authenticated, context), result.warnings);
  if (resolution === null || artifact === null) {
    return {
      warnings,
      planSlugs: NONE,
      featureSlugs: NONE,
      denied: NONE,
      nearLimits: null,
      features: '{}',
      validUntil: now,
      head: `${open},"version":null,"asOf":${now},"validUntil":${now}`,
      shared: `,${who},"customer":{"isCustomer":false,"plans":[]${more}},"warnings":${JSON.stringify(warnings)}`,
    };
  }
  const isListed = include?.includes('balances') === true && hasBalances(resolution, usage?.readings);
  const { entity } = subject;
  const isPlain = counted === null && !isListed && entity === undefined;
  const beside = isPlain ? NOTHING_BESIDE : { counted: asCounted(counted), isListed, entity };
  const rendered = texts.render(resolution, usage?.readings ?? null, now, only, beside);
  for (const { property } of refused) {
    warnings.push(warningOf('override-left-out', `${property.feature.slug}.${property.property.key}`));
  }
  if (lacksEntity(subject, resolution) && !warnings.some(({ code }) => code === ENTITY_REQUIRED.code))
    warnings.push(ENTITY_REQUIRED);
  for (const slug of rendered.unknownFeatures) warnings.push(warningOf('feature-unknown', slug));
  const until = Math.max(now, Math.min(rendered.validUntil, identity.expiresAt, factsUntil));
  const version = `{"artifactId":"${artifact.id}","number":${artifact.number}}`;
  const customer = `{"isCustomer":${isStripeCustomer(subject)},${resolution.plansText}${more}}`;
  const explanation =
    query.isExplained && key.type === 'secret'
      ? `,"explanation":${JSON.stringify(explainOnly(subject, resolution, snapshot, usage?.readings ?? null, now))}${namesText(subject)}`
      : '';
  return {
    warnings,
    planSlugs: resolution.planSlugs,
    features: rendered.json,
    validUntil: until,
    featureSlugs: only === undefined ? loaded.featureSlugs : [...only],
    denied: withCounted(rendered.denied, counted, resolution, only),
    nearLimits: usage === null ? null : rendered.nearLimits,
    head: `${open},"version":${version},"asOf":${now},"validUntil":${until}${countedText(counted)}${explanation}`,
    shared: `,${who},"customer":${customer},"warnings":${warnings.length === 0 ? '[]' : JSON.stringify(warnings)}`,
  };
}

/** Whether the answer has a limit of entities, and no entity. Anonymous subjects have none. */
function lacksEntity(
  { customer, entity, only }: ResolvedSubject,
  { prepared: { perEntity }, choices }: Resolution,
): boolean {
  if (perEntity.length === 0 || customer === null || entity !== undefined) return false;
  return perEntity.some(
    ({ index, feature: { slug } }) => only?.has(slug) !== false && choices[index]?.isPerEntity === true,
  );
}

function snapshotWarnings({ loaded, key }: RenderedFor, { now, query }: RenderContext): readonly Warning[] {
  const isOutdated = isStale(loaded, now);
  const isNotExplained = query.isExplained && key.type !== 'secret';
  const isEmpty = loaded.prepared === null;
  if (!isOutdated && !isNotExplained && !isEmpty) return query.warnings;
  return [
    ...query.warnings,
    ...(isOutdated ? [STALE] : NONE),
    ...(isNotExplained ? [NOT_EXPLAINED] : NONE),
    ...(isEmpty ? [NOTHING_DEPLOYED] : NONE),
  ];
}

function namesText(subject: ResolvedSubject): string {
  const names = explainNames(subject);
  return names === undefined ? '' : `,"names":${JSON.stringify(names)}`;
}

function explainOnly(
  { identity, only, facts, provisioned, entity }: ResolvedSubject,
  resolution: Resolution,
  rules: SubscriptionRules,
  readings: Readings | null,
  now: number,
): readonly Explanation[] {
  const { prepared } = resolution;
  const theirs = factsForIdentifier(facts, identity.identifier);
  const sources = planSources(prepared, { ...identity, provisioned }, theirs, rules, now);
  const withheld = withheldPlans(prepared, theirs, rules, now);
  const usage = readUsage(readings, now);
  const read = usage === null ? null : { ...usage, entity };
  return explain(resolution, sources, read, withheld).filter(
    ({ feature }) => only === undefined || only.has(feature),
  );
}

/** With the feature that the check counted on if the answer leaves it out. */
function withCounted(
  denied: readonly Denial[],
  counted: Counted | null,
  resolution: Resolution,
  only: ReadonlySet<string> | undefined,
): readonly Denial[] {
  const feature = counted === null ? undefined : resolution.prepared.featureBySlug.get(counted.feature);
  if (counted === null || feature === undefined || only?.has(counted.feature) !== false) return denied;
  const { accepted, meter, costs } = counted;
  const reason = countDenial(isFeatureOn(resolution, feature), { accepted, meter, payer: costs?.meter });
  return reason === null ? denied : [...denied, { feature: counted.feature, reason }];
}

/** As its feature's verdict sees it. */
function asCounted(counted: Counted | null): CountedMeter | null {
  if (counted === null) return null;
  const { costs, ...own } = counted;
  return { ...own, payer: costs?.meter ?? null };
}

function countedText(counted: Counted | null): string {
  if (counted === null) return '';
  return `,"consumed":${JSON.stringify(consumedOf(counted))}`;
}

/** Bought or given ones, or something that rolled over. */
function hasBalances({ balances }: Resolution, readings: Readings | undefined): boolean {
  return balances !== null || [...(readings?.values() ?? NONE)].some(({ rolled }) => rolled !== undefined);
}
