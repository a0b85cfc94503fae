/**
 * Validates the values of a plan's next version: each must name an existing property and fit its type and bounds. Every
 * feature with values is switched on through its system property, unless they set that property: whatever the plan had before.
 */
import type { PlanProperties, PlanValue } from '#contracts/console/plans';
import type { Issue } from '#contracts/public/errors';
import type { NumberBounds, PropertyType } from '#contracts/public/values';
import { compareText } from '#engine/text/compare-text';
import { checkValue } from '#engine/values/kinds/check-value';
import { normaliseValue } from '#engine/values/kinds/normalise-value';
import { planCostsOf } from '#engine/values/kinds/plan-costs';
import { SYSTEM_PROPERTY_PLAN_VALUE } from '#engine/values/system-property';

export interface KnownProperty {
  readonly id: string;
  readonly featureId: string;
  readonly type: PropertyType;
  readonly bounds: NumberBounds | null;
  readonly isSystem: boolean;
  /** Null or absent: it costs nothing. */
  readonly costs?: object | null;
}

export interface CheckedPlanProperties {
  /** One spelling: no feature without values, features and values sorted by id, each value normalised. */
  readonly properties: PlanProperties;
  /** Paths are of the request: `properties.<featureId>.<index>.<field>`. Empty: it fits. */
  readonly issues: readonly Issue[];
}

/** Enough to correct a form; a hostile body could have thousands. */
const MAX_ISSUES = 100;

/**
 * @param sent what is to become the next version
 * @param base the version that the edit was made on
 * @param known all properties of the organisation's own features that `sent` names
 */
export function checkPlanProperties(
  sent: PlanProperties,
  base: PlanProperties,
  known: readonly KnownProperty[],
): CheckedPlanProperties {
  const knownByFeature = Map.groupBy(known, (property) => property.featureId);
  const baseByFeature = new Map(Object.entries(base));
  const checked: [string, PlanValue[]][] = [];
  const issues: Issue[] = [];
  for (const [featureId, values] of Object.entries(sent)) {
    if (values.length === 0) continue;
    const path = `properties.${featureId}`;
    const properties = knownByFeature.get(featureId);
    const before = baseByFeature.get(featureId);
    if (properties === undefined) {
      issues.push({ path, message: before === undefined ? 'Unknown feature' : 'Feature no longer exists' });
    } else {
      issues.push(...checkValues(path, values, before ?? [], properties));
      checked.push([featureId, completed(values, properties)]);
    }
    if (issues.length >= MAX_ISSUES) break;
  }
  if (issues.length > 0) return { properties: {}, issues: issues.slice(0, MAX_ISSUES) };
  checked.sort(([one], [other]) => compareText(one, other));
  return { properties: Object.fromEntries(checked), issues };
}

function checkValues(
  path: string,
  values: readonly PlanValue[],
  before: readonly PlanValue[],
  properties: readonly KnownProperty[],
): Issue[] {
  const seen = new Set<string>();
  return values.flatMap(({ id, type, value }, index): Issue[] => {
    const at = `${path}.${index}`;
    if (seen.has(id)) return [{ path: `${at}.id`, message: 'Property is listed twice' }];
    seen.add(id);
    const property = properties.find((each) => each.id === id);
    if (property === undefined) {
      const wasThere = before.some((each) => each.id === id);
      return [{ path: `${at}.id`, message: wasThere ? 'Property no longer exists' : 'Unknown property' }];
    }
    if (type !== property.type) {
      return [{ path: `${at}.type`, message: `Must be ${property.type}, the property’s type` }];
    }
    return [...checkValue(property, value), ...checkCosts(property, value)].map((issue) => ({
      path: issue.path === '' ? `${at}.value` : `${at}.value.${issue.path}`,
      message: issue.message,
    }));
  });
}

/** Which meter pays is said by the property. */
function checkCosts({ costs }: KnownProperty, value: PlanValue['value']): Issue[] {
  const isSaid = typeof value === 'object' && planCostsOf(value) !== undefined;
  return isSaid && !costs ? [{ path: 'costs', message: 'The property has no costs' }] : [];
}

function completed(values: readonly PlanValue[], properties: readonly KnownProperty[]): PlanValue[] {
  const all = values.map(({ id, type, value }) => ({ id, type, value: normaliseValue(value) }));
  const system = properties.find((property) => property.isSystem);
  if (system !== undefined && !all.some(({ id }) => id === system.id)) {
    all.push({ id: system.id, type: system.type, value: SYSTEM_PROPERTY_PLAN_VALUE });
  }
  return all.sort((one, other) => compareText(one.id, other.id));
}
