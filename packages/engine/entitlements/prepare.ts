/**
 * Prepares an artifact for checks, once per artifact and isolate. The values that plans configure for a property are ranked
 * here, so a check compares small integers and never the values.
 */
import type { ConflictResolution, PropertyValue } from '#contracts/public/values';
import type {
  ArtifactContent,
  ArtifactFeature,
  ArtifactPlan,
  ArtifactProperty,
  LimitOrder,
} from '../artifacts/artifact-content.ts';
import { withoutUnknown } from '../artifacts/requirements.ts';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { isLatinText } from '../cache/bytes-of-json.ts';
import { kindOf } from '../values/kinds/kinds.ts';
import { SYSTEM_PROPERTY } from '../values/system-property.ts';
import { choiceOf } from './choice.ts';
import { planCosts } from './cost-in.ts';
import { planSetOf, withoutLoneAddOns } from './plan-set.ts';
import type {
  PreparedArtifact,
  PreparedCost,
  PreparedFeature,
  PreparedPlan,
  PreparedProperty,
} from './prepared-artifact.ts';
import { linkProducts } from './product-links.ts';
import { bytesOf } from './resolution.ts';
import { zonedContent } from './zoned-values.ts';

/** Approximate memory of one generation of cached resolutions. */
const RESOLUTION_BYTES = 2 * 1024 * 1024;

/** Expects content from compileArtifact: every plan value refers to a property and fits it. */
export function prepare(content: ArtifactContent): PreparedArtifact {
  const { limitOrder = 'limit', zone } = content;
  const { features: known, plans } = zonedContent(withoutUnknown(content), zone);
  const configured = configuredValues(plans);
  const features: PreparedFeature[] = [];
  const properties: Preparing[] = [];
  for (const feature of known) {
    const own = feature.properties.map((property, place) =>
      prepareProperty(feature, property, {
        index: properties.length + place,
        featureIndex: features.length,
        isFirst: place === 0,
        values: configured.get(property.id) ?? [],
        limitOrder,
      }),
    );
    properties.push(...own);
    features.push({
      index: features.length,
      feature,
      slug: feature.slug,
      properties: own,
      propertyByKey: new Map(own.map((entry) => [entry.property.key, entry])),
      enabled: own.find(({ property }) => property.isSystem && property.key === SYSTEM_PROPERTY.key) ?? null,
    });
  }
  const propertyById = new Map(properties.map((entry) => [entry.property.id, entry]));
  for (const entry of properties) entry.cost = costOf(entry, propertyById);
  const addOns = new Set(indexesWhere(plans, ({ isAddOn }) => isAddOn === true));
  const assigned = {
    anonymous: indexesWhere(plans, (plan) => plan.grantToAnonymousSessions),
    authenticated: indexesWhere(plans, (plan) => plan.grantToAuthenticatedUsers),
  };
  return {
    content,
    features,
    properties,
    plans: plans.map((plan) => ({
      ...preparePlan(plan, propertyById, limitOrder),
      costs: planCosts(plan, propertyById),
    })),
    addOns,
    limitOrder,
    isLatin: properties.every(({ choices }) =>
      choices.every(({ text }) => text === null || isLatinText(text)),
    ),
    perEntity: properties.filter(({ isPerEntity }) => isPerEntity),
    hasSums: properties.some(({ property }) => property.conflictResolution === 'sum'),
    featureBySlug: new Map(features.map((entry) => [entry.slug, entry])),
    propertyById,
    planIndexBySlug: new Map(plans.map((plan, index) => [plan.slug, index])),
    planIndexById: new Map(plans.map((plan, index) => [plan.id, index])),
    linksByProduct: linkProducts(plans),
    anonymousPlans: planSetOf(withoutLoneAddOns(assigned.anonymous, addOns)),
    authenticatedPlans: planSetOf(withoutLoneAddOns(assigned.authenticated, addOns)),
    assigned,
    resolutions: new BoundedCache(RESOLUTION_BYTES, (_, resolution) => bytesOf(resolution)),
  };
}

function configuredValues(plans: readonly ArtifactPlan[]): Map<string, PropertyValue[]> {
  const configured = new Map<string, PropertyValue[]>();
  for (const plan of plans) {
    for (const { propertyId, value } of plan.values) {
      const values = configured.get(propertyId);
      if (values === undefined) configured.set(propertyId, [value]);
      else values.push(value);
    }
  }
  return configured;
}

/** What it costs follows once all are there. */
type Preparing = { -readonly [Name in keyof PreparedProperty]: PreparedProperty[Name] };

function costOf(
  { property: { costs } }: PreparedProperty,
  propertyById: ReadonlyMap<string, PreparedProperty>,
): PreparedCost | null {
  const payer = costs && propertyById.get(costs.propertyId);
  return payer ? { payer, thousandths: costs.thousandths } : null;
}

interface Position {
  index: number;
  featureIndex: number;
  isFirst: boolean;
  values: PropertyValue[];
  limitOrder: LimitOrder;
}

function prepareProperty(
  feature: ArtifactFeature,
  property: ArtifactProperty,
  { index, featureIndex, isFirst, values, limitOrder }: Position,
): Preparing {
  const { type } = property;
  const opening = isFirst ? `${JSON.stringify(feature.slug)}:{"properties":{` : ',';
  const distinct = ranked(property, values, limitOrder);
  const choices = [property.value, ...distinct].map(choiceOf);
  return {
    index,
    featureIndex,
    feature,
    property,
    type,
    cost: null,
    lead: `${opening}${JSON.stringify(property.key)}:`,
    choices,
    isPerEntity: choices.some((choice) => choice.isPerEntity),
  };
}

/** Distinct values, in ascending order of precedence. */
function ranked(
  { type, conflictResolution }: ArtifactProperty,
  values: PropertyValue[],
  limitOrder: LimitOrder,
): PropertyValue[] {
  const sign = signOf(conflictResolution);
  const { compare } = kindOf(type);
  const sorted = values.toSorted((one, other) => sign * compare(one, other, limitOrder));
  return sorted.filter((value, place) => {
    const before = sorted[place - 1];
    return before === undefined || compare(before, value, limitOrder) !== 0;
  });
}

/** Values that add up have no precedence among each other; ascending like `higher`. */
function signOf(conflictResolution: ConflictResolution): 1 | -1 {
  return conflictResolution === 'lower' ? -1 : 1;
}

function preparePlan(
  plan: ArtifactPlan,
  propertyById: ReadonlyMap<string, PreparedProperty>,
  limitOrder: LimitOrder,
): Omit<PreparedPlan, 'costs'> {
  const propertyIndexes = new Uint32Array(plan.values.length);
  const choiceIndexes = new Uint32Array(plan.values.length);
  plan.values.forEach(({ propertyId, value }, place) => {
    const property = propertyById.get(propertyId);
    if (property === undefined)
      throw new Error(`Plan ${plan.id} configures property ${propertyId}, which is missing`);
    propertyIndexes[place] = property.index;
    choiceIndexes[place] = rankOf(property, value, limitOrder);
  });
  return { plan, propertyIndexes, choiceIndexes, trialLimits: trialLimitsOf(plan, propertyById) };
}

function trialLimitsOf(
  { values }: ArtifactPlan,
  propertyById: ReadonlyMap<string, PreparedProperty>,
): ReadonlyMap<number, number> | null {
  const limits = values.flatMap(({ propertyId, value }) => {
    const index = propertyById.get(propertyId)?.index;
    const limit = typeof value === 'object' && value.state === 'metered' ? value.meter.trialLimit : undefined;
    return index === undefined || limit === undefined ? [] : [[index, limit] as const];
  });
  return limits.length === 0 ? null : new Map(limits);
}

/** The index of a configured value among its property's choices, by bisection. The default at index 0 is excluded. */
function rankOf(
  { property, choices }: PreparedProperty,
  value: PropertyValue,
  limitOrder: LimitOrder,
): number {
  const sign = signOf(property.conflictResolution);
  const { compare } = kindOf(property.type);
  let low = 1;
  let high = choices.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = choices[middle]?.value;
    if (candidate !== undefined && sign * compare(candidate, value, limitOrder) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexesWhere(plans: readonly ArtifactPlan[], holds: (plan: ArtifactPlan) => boolean): number[] {
  return plans.flatMap((plan, index) => (holds(plan) ? [index] : []));
}
