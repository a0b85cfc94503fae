/**
 * Compiles the rows of a workspace into an artifact's content. The order of rows has no effect. Invalid entries, such as a
 * plan's value for a deleted property, a value out of bounds, a cost of a deleted property or a plan's of what costs nothing, are omitted, so
 * access checks never see them.
 */
import type { PropertyValue } from '#contracts/public/values';
import { compareText } from '../text/compare-text.ts';
import { checkValue } from '../values/kinds/check-value.ts';
import { kindOf } from '../values/kinds/kinds.ts';
import { withoutPlanCosts } from '../values/kinds/plan-costs.ts';
import type {
  ArtifactContent,
  ArtifactCost,
  ArtifactFeature,
  ArtifactPlan,
  ArtifactPlanValue,
  ArtifactProperty,
  ArtifactWorkflow,
  LimitOrder,
  ProductReference,
  WorkflowType,
} from './artifact-content.ts';
import { requirementsOf } from './requirements.ts';

/** Rows, unique by id. Other fields are ignored. */
export interface Workspace {
  readonly features: readonly FeatureRow[];
  readonly properties: readonly PropertyRow[];
  readonly plans: readonly PlanRow[];
  readonly planValues: readonly PlanValueRow[];
  readonly planProducts: readonly PlanProductRow[];
  readonly workflows: readonly WorkflowRow[];
  readonly limitOrder: LimitOrder;
  /** IANA name. Absent: UTC. */
  readonly zone?: string;
}

export type FeatureRow = Omit<ArtifactFeature, 'properties'>;

export interface PropertyRow extends Omit<ArtifactProperty, 'costs' | 'balanceOpens'> {
  readonly featureId: string;
  /** Null or absent: it costs nothing. */
  readonly costs?: ArtifactCost | null;
  readonly balanceOpens?: boolean;
}

export interface PlanRow extends Omit<ArtifactPlan, 'isAddOn' | 'isPublic' | 'values' | 'products'> {
  readonly isAddOn: boolean;
  /** Absent: it is not. */
  readonly isPublic?: boolean;
}

export interface PlanValueRow {
  readonly planId: string;
  readonly featureId: string;
  readonly propertyId: string;
  /** The value as stored. The property may have changed since. */
  readonly value: unknown;
}

export interface PlanProductRow {
  readonly planId: string;
  readonly integrationId: string;
  readonly productId: string;
  /** Empty or absent: any price of the product. */
  readonly priceId?: string;
  readonly timesQuantity?: boolean;
}

export interface WorkflowRow {
  readonly id: string;
  readonly name: string;
  readonly type: WorkflowType;
  readonly featureId: string | null;
  readonly enabled: boolean;
  /** Null until the workflow has code that compiles, like `compiled`. */
  readonly source: string | null;
  readonly compiled: string | null;
}

/** Defaults of properties are not validated again: they are validated on every edit. */
export function compileArtifact(workspace: Workspace): ArtifactContent {
  const zone = workspace.zone === undefined || workspace.zone === 'UTC' ? null : workspace.zone;
  const propertiesOf = Map.groupBy(workspace.properties, (row) => row.featureId);
  const valuesOf = Map.groupBy(workspace.planValues, (row) => row.planId);
  const productsOf = Map.groupBy(workspace.planProducts, (row) => row.planId);

  const ids = new Set(workspace.properties.map(({ id }) => id));
  const features = workspace.features
    .map((row) => compileFeature(row, propertiesOf.get(row.id) ?? [], ids))
    .sort(byId);
  const properties = new Map(
    features.flatMap((feature) =>
      feature.properties.map((property) => [property.id, { featureId: feature.id, property }] as const),
    ),
  );
  const plans = workspace.plans
    .map(
      (row): ArtifactPlan => ({
        id: row.id,
        slug: row.slug,
        name: row.name,
        description: row.description,
        grantToAnonymousSessions: row.grantToAnonymousSessions,
        grantToAuthenticatedUsers: row.grantToAuthenticatedUsers,
        ...(row.isAddOn && { isAddOn: true }),
        ...(row.isPublic && { isPublic: true }),
        values: compilePlanValues(valuesOf.get(row.id) ?? [], properties),
        products: compileProducts(productsOf.get(row.id) ?? []),
      }),
    )
    .sort(byId);
  return {
    formatVersion: 1,
    features: withRequirements(features, plans, zone),
    plans,
    workflows: compileWorkflows(workspace.workflows, features),
    ...(workspace.limitOrder === 'rate' && { limitOrder: 'rate' }),
    switchesMeters: true,
    ...(zone !== null && { zone }),
  };
}

function withRequirements(
  features: readonly ArtifactFeature[],
  plans: readonly ArtifactPlan[],
  zone: string | null,
): ArtifactFeature[] {
  const valuesOf = Map.groupBy(
    plans.flatMap(({ values }) => values),
    ({ propertyId }) => propertyId,
  );
  return features.map((feature) => ({
    ...feature,
    properties: feature.properties.map((property) => {
      const values = [property, ...(valuesOf.get(property.id) ?? [])].map(({ value }) => value);
      const requires = requirementsOf(property, values, zone);
      return requires.length === 0 ? property : { ...property, requires };
    }),
  }));
}

function compileFeature(
  row: FeatureRow,
  properties: readonly PropertyRow[],
  ids: ReadonlySet<string>,
): ArtifactFeature {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    properties: properties.map((each) => compileProperty(each, ids)).sort(byId),
  };
}

function compileProperty(row: PropertyRow, ids: ReadonlySet<string>): ArtifactProperty {
  const kind = kindOf(row.type);
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    type: row.type,
    value: kind.normalise(row.value),
    bounds: kind.hasBounds ? row.bounds : null,
    conflictResolution: row.conflictResolution,
    isSystem: row.isSystem,
    ...(row.costs && ids.has(row.costs.propertyId) && { costs: row.costs }),
    ...(row.balanceOpens && { balanceOpens: true as const }),
  };
}

type PropertiesById = ReadonlyMap<string, { featureId: string; property: ArtifactProperty }>;

function compilePlanValues(rows: readonly PlanValueRow[], properties: PropertiesById): ArtifactPlanValue[] {
  return rows
    .flatMap(({ featureId, propertyId, value }): ArtifactPlanValue[] => {
      const target = properties.get(propertyId);
      if (target?.featureId !== featureId || checkValue(target.property, value).length > 0) return [];
      const normal = kindOf(target.property.type).normalise(value as PropertyValue);
      const isFree = typeof normal === 'object' && target.property.costs === undefined;
      return [{ featureId, propertyId, value: isFree ? withoutPlanCosts(normal) : normal }];
    })
    .sort(
      (one, other) =>
        compareText(one.featureId, other.featureId) || compareText(one.propertyId, other.propertyId),
    );
}

function compileProducts(rows: readonly PlanProductRow[]): ProductReference[] {
  return rows
    .map(
      ({ integrationId, productId, priceId, timesQuantity }): ProductReference => ({
        integrationId,
        productId,
        ...(priceId ? { priceId } : {}),
        ...(timesQuantity ? { timesQuantity } : {}),
      }),
    )
    .sort(
      (one, other) =>
        compareText(one.integrationId, other.integrationId) ||
        compareText(one.productId, other.productId) ||
        compareText(one.priceId ?? '', other.priceId ?? ''),
    );
}

/** Enabled workflows that have code and an existing feature. */
function compileWorkflows(
  rows: readonly WorkflowRow[],
  features: readonly ArtifactFeature[],
): ArtifactWorkflow[] {
  const featureIds = new Set(features.map((feature) => feature.id));
  return rows
    .flatMap(({ id, name, type, featureId, enabled, source, compiled }): ArtifactWorkflow[] => {
      if (!enabled || source === null || compiled === null) return [];
      const code = { source, compiled };
      if (type === 'dynamic-provisioning') return [{ id, name, type, featureId: null, ...code }];
      return featureId !== null && featureIds.has(featureId) ? [{ id, name, type, featureId, ...code }] : [];
    })
    .sort(byId);
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return compareText(one.id, other.id);
}
