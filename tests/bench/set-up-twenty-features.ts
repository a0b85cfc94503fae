// Creates the benchmark workspace through the API: 20 features with three properties and the system one, optionally five with a
// meter, and two plans (visitors, users) that configure all of them, deployed to a live environment.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { environmentEndpoints } from '#contracts/console/environments';
import { featureEndpoints } from '#contracts/console/features';
import { type PlanValue, planEndpoints } from '#contracts/console/plans';
import { workflowEndpoints } from '#contracts/console/workflows';
import type { Meter, PropertyType } from '#contracts/public/values';
import { type ApiSession, readAnswer } from '../../dev/workspace/api-session.ts';
import { signInDemo } from '../../dev/workspace/sign-in.ts';
import { chooseGrow } from './choose-grow.ts';

const featureCount = 20;

/** The metered property of the first features. */
export const METER_KEY = 'usage';

/** One of each window type; the last counts resources. */
export const meters: readonly Meter[] = [
  { periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
  { periodType: 'rolling', periodCount: 1, periodLength: 'day', uniqueResourceIds: false },
  { periodType: 'fixed', periodCount: 30, periodLength: 'day', uniqueResourceIds: false },
  { periodType: 'lifetime', uniqueResourceIds: false },
  { periodType: 'lifetime', uniqueResourceIds: true },
].map((meter) => ({ limit: 1_000_000_000, ...meter }) as Meter);

export function featureSlug(number: number): string {
  return `feature-${String(number).padStart(2, '0')}`;
}

/** @returns a secret key of the live environment, once an access check with it returns the features */
export async function setUpTwentyFeatures(
  baseUrl: string,
  isMetered: boolean,
  workflows = 0,
): Promise<string> {
  const session = await signInDemo(baseUrl);
  const body = { name: 'Benchmark', slug: 'benchmark' };
  const created = await session.send('POST', '/api/auth/organization/create', body);
  const { id: orgId } = await readAnswer<{ id: string }>(created, 'POST');
  const params = { orgId };
  await chooseGrow(baseUrl, orgId);

  const properties = await createFeatures(session, orgId, isMetered ? meters : []);
  await createPlan(session, orgId, 'visitors', { grantToAnonymousSessions: true }, properties);
  await createPlan(session, orgId, 'users', { grantToAuthenticatedUsers: true }, properties);
  for (let number = 1; number <= workflows; number += 1) await createWorkflow(session, orgId, number);
  const { artifactId } = await session.call(artifactEndpoints.create, { params });
  const environmentBody = { name: 'Production', type: 'live' } as const;
  const { id: envId } = await session.call(environmentEndpoints.create, { params, body: environmentBody });
  const keyBody = { environmentId: envId, type: 'secret' } as const;
  const { value } = await session.call(apiKeyEndpoints.create, { params, body: keyBody });
  await session.call(deploymentEndpoints.deploy, { params: { orgId, envId }, body: { artifactId } });
  await waitUntilServed(baseUrl, value);
  return value;
}

/** @returns the values for a plan, by feature */
async function createFeatures(
  session: ApiSession,
  orgId: string,
  metered: readonly Meter[],
): Promise<Map<string, PlanValue[]>> {
  const values = new Map<string, PlanValue[]>();
  for (let number = 1; number <= featureCount; number += 1) {
    const slug = featureSlug(number);
    const feature = await session.call(featureEndpoints.create, {
      params: { orgId },
      body: { name: `Feature ${number}`, slug },
    });
    const params = { orgId, featureId: feature.id };
    const meter = metered[number - 1];
    const add = async (name: string, propertyKey: string, type: PropertyType) =>
      (await session.call(featureEndpoints.createProperty, { params, body: { name, propertyKey, type } })).id;
    values.set(feature.id, [
      ...feature.systemFeatureProperties.map(({ id }) => ({ id, type: 'boolean', value: true }) as const),
      { id: await add('Limit', 'limit', 'number'), type: 'number', value: 100 + number },
      { id: await add('Export formats', 'exportFormats', 'string'), type: 'string', value: 'csv,xlsx' },
      { id: await add('Sharing', 'sharing', 'boolean'), type: 'boolean', value: number % 2 === 0 },
      ...(meter === undefined
        ? []
        : [
            {
              id: await add('Usage', METER_KEY, 'meterable'),
              type: 'meterable',
              value: { state: 'metered', meter },
            } as const,
          ]),
    ]);
  }
  return values;
}

/** Reads its input and gives a plan that the customer has already. */
async function createWorkflow(session: ApiSession, orgId: string, number: number): Promise<void> {
  const { id: workflowId } = await session.call(workflowEndpoints.create, {
    params: { orgId },
    body: { name: `Workflow ${number}`, type: 'dynamic-provisioning' },
  });
  const compiled = `export default ({ customer, now }) => (customer.isCustomer && now < ${number} ? [] : ['users']);`;
  const body = { source: compiled, compiled };
  await session.call(workflowEndpoints.update, { params: { orgId, workflowId }, body });
}

async function createPlan(
  session: ApiSession,
  orgId: string,
  slug: string,
  grants: { grantToAnonymousSessions?: boolean; grantToAuthenticatedUsers?: boolean },
  values: ReadonlyMap<string, PlanValue[]>,
): Promise<void> {
  const { planId, currentVersion } = await session.call(planEndpoints.create, {
    params: { orgId },
    body: { name: `Plan ${slug}`, slug },
  });
  await session.call(planEndpoints.update, { params: { orgId, planId }, body: grants });
  await session.call(planEndpoints.updateVersion, {
    params: { orgId, planId, version: String(currentVersion) },
    body: { properties: Object.fromEntries(values) },
  });
}

async function waitUntilServed(baseUrl: string, secretKey: string): Promise<void> {
  let text = '';
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`${baseUrl}/api/v1/access-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: '{}',
    });
    text = await response.text();
    if (
      response.ok &&
      Object.keys((JSON.parse(text) as { features: object }).features).length === featureCount
    )
      return;
    await new Promise((settle) => setTimeout(settle, 200));
  }
  throw new Error(`The access check does not show ${featureCount} features: ${text.slice(0, 500)}`);
}
