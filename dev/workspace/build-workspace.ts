// Builds workspaces through the console's API, for the demo, the screenshots, benchmarks and every test that has a server: organisation,
// features, plans, workflows, environments and keys. connect-stripe.ts adds Stripe.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { environmentEndpoints } from '#contracts/console/environments';
import { type Feature, featureEndpoints } from '#contracts/console/features';
import { organisationEndpoints } from '#contracts/console/organisations';
import {
  type Plan,
  type PlanProperties,
  type PlanValue,
  type PlanVersion,
  planEndpoints,
} from '#contracts/console/plans';
import { workflowEndpoints } from '#contracts/console/workflows';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { BodyInputOf } from '#contracts/public/endpoint';
import type { PropertyValue } from '#contracts/public/values';
import type { Caller } from './endpoint-caller.ts';

/** An organisation and a session that may change it. */
export interface Workspace<Session extends Caller = Caller> {
  readonly session: Session;
  readonly orgId: string;
}

export type PropertySpec = BodyInputOf<typeof featureEndpoints.createProperty>;

export type FeatureSpec = BodyInputOf<typeof featureEndpoints.create> & {
  readonly properties?: readonly PropertySpec[];
};

/** By feature slug and property key. Every listed feature is part of the plan, and on. */
export type PlanValues = Readonly<Record<string, Readonly<Record<string, PropertyValue>>>>;

export type PlanSpec = BodyInputOf<typeof planEndpoints.create> &
  Partial<Pick<Plan, 'grantToAnonymousSessions' | 'grantToAuthenticatedUsers' | 'isAddOn' | 'isPublic'>> & {
    readonly values?: PlanValues;
  };

export type WorkflowSpec = BodyInputOf<typeof workflowEndpoints.create> & {
  readonly source?: string;
  /** JavaScript; the source unless set. */
  readonly compiled?: string;
};

/** With Preview as its only environment: what it deploys to is for the caller to create. */
export async function createOrganisation<Session extends Caller>(
  session: Session,
  name: string,
  slug?: string,
): Promise<Workspace<Session>> {
  const body = { name, slug, environments: [] };
  const { id } = await session.call(organisationEndpoints.create, { params: {}, body });
  return { session, orgId: id };
}

export async function createFeature(
  workspace: Workspace,
  { properties = [], ...body }: FeatureSpec,
): Promise<Feature> {
  const { session, orgId } = workspace;
  const feature = await session.call(featureEndpoints.create, { params: { orgId }, body });
  return addProperties(workspace, feature, properties);
}

/** Adds those that the feature lacks. @returns the feature with all of them */
export async function addProperties(
  { session, orgId }: Workspace,
  feature: Feature,
  properties: readonly PropertySpec[],
): Promise<Feature> {
  const params = { orgId, featureId: feature.id };
  const present = new Set(feature.properties.map(({ propertyKey }) => propertyKey));
  const missing = properties.filter(({ propertyKey }) => !present.has(propertyKey));
  for (const body of missing) await session.call(featureEndpoints.createProperty, { params, body });
  return missing.length === 0 ? feature : session.call(featureEndpoints.get, { params });
}

/** @param features those that `values` names */
export async function createPlan(
  workspace: Workspace,
  { name, slug, description, values, ...grants }: PlanSpec,
  features: readonly Feature[] = [],
): Promise<Plan> {
  const { session, orgId } = workspace;
  const body = { name, slug, description };
  const created = await session.call(planEndpoints.create, { params: { orgId }, body });
  const params = { orgId, planId: created.planId };
  const plan =
    Object.keys(grants).length === 0
      ? created
      : await session.call(planEndpoints.update, { params, body: grants });
  if (values === undefined) return plan;
  const { currentVersion } = await setPlanValues(workspace, plan, planProperties(features, values));
  return { ...plan, currentVersion };
}

/** Replaces the plan's values. */
export function setPlanValues(
  { session, orgId }: Workspace,
  { planId, currentVersion }: Pick<Plan, 'planId' | 'currentVersion'>,
  properties: PlanProperties,
): Promise<PlanVersion> {
  const params = { orgId, planId, version: String(currentVersion) };
  return session.call(planEndpoints.updateVersion, { params, body: { properties } });
}

/** @throws {Error} if a feature or property is missing */
export function planProperties(features: readonly Feature[], values: PlanValues): PlanProperties {
  const entries = Object.entries(values).map(([featureSlug, own]): [string, PlanValue[]] => {
    const feature = getItem(features, ({ slug }) => slug === featureSlug);
    const switches = feature.systemFeatureProperties.map(
      ({ id }): PlanValue => ({ id, type: 'boolean', value: true }),
    );
    const set = Object.entries(own).map(([key, value]) => {
      const { id, type } = getItem(feature.properties, ({ propertyKey }) => propertyKey === key);
      return { id, type, value };
    });
    return [feature.id, [...switches, ...set]];
  });
  return Object.fromEntries(entries);
}

/** @returns the workflow's id */
export async function createWorkflow(
  { session, orgId }: Workspace,
  { source, compiled = source, ...body }: WorkflowSpec,
): Promise<string> {
  const { id: workflowId } = await session.call(workflowEndpoints.create, { params: { orgId }, body });
  const params = { orgId, workflowId };
  if (source !== undefined)
    await session.call(workflowEndpoints.update, { params, body: { source, compiled } });
  return workflowId;
}

/** @returns the key */
export async function createKey(
  { session, orgId }: Workspace,
  environmentId: string,
  type: ApiKeyType = 'secret',
  managesCustomers = false,
): Promise<string> {
  const body = { environmentId, type, managesCustomers };
  return (await session.call(apiKeyEndpoints.create, { params: { orgId }, body })).value;
}

/** The id of the environment that always runs the workspace as it is. */
export async function previewOf({ session, orgId }: Workspace): Promise<string> {
  const environments = await session.call(environmentEndpoints.list, { params: { orgId } });
  return getItem(environments, ({ type }) => type === 'preview').id;
}

/** Creates an environment with a secret key, and deploys the workspace to it as a new version. */
export async function createDeployed(
  workspace: Workspace,
  body: BodyInputOf<typeof environmentEndpoints.create>,
): Promise<{ readonly envId: string; readonly secretKey: string }> {
  const { session, orgId } = workspace;
  const params = { orgId };
  const { artifactId } = await session.call(artifactEndpoints.create, { params });
  const { id: envId } = await session.call(environmentEndpoints.create, { params, body });
  const secretKey = await createKey(workspace, envId);
  await session.call(deploymentEndpoints.deploy, { params: { orgId, envId }, body: { artifactId } });
  return { envId, secretKey };
}

/** @throws {Error} if no item matches */
export function getItem<T>(items: readonly T[], isMatch: (item: T) => boolean): T {
  const item = items.find(isMatch);
  if (item === undefined)
    throw new Error('An item of the workspace is missing. Was it changed in the meantime?');
  return item;
}
