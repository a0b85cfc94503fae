// Creates the benchmark workspace through the API: 20 features with three properties and the system one, optionally five with a
// meter, and two plans (visitors, users) that configure all of them, deployed to a live environment.
import { customerBalanceEndpoints } from '#contracts/console/customer-balances';
import type { Feature } from '#contracts/console/features';
import { organisationEndpoints } from '#contracts/console/organisations';
import { LOCATIONS, type Location, type LocationFlags } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import {
  createDeployed,
  createFeature,
  createOrganisation,
  createPlan,
  createWorkflow,
  type PlanValues,
  type PropertySpec,
} from '../../dev/workspace/build-workspace.ts';
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

export interface SetUp {
  readonly workflows?: number;
  readonly locations?: readonly Location[] | undefined;
  /** How many balances of the first meter customers have; without any, the environment has no facts of customers. */
  readonly balancesOf?: ReadonlyMap<string, number>;
}

/** @returns a secret key of the live environment, once an access check with it returns the features */
export async function setUpTwentyFeatures(
  baseUrl: string,
  isMetered: boolean,
  { workflows = 0, locations, balancesOf }: SetUp = {},
): Promise<string> {
  const workspace = await createOrganisation(await signInDemo(baseUrl), 'Benchmark', 'benchmark');
  await chooseGrow(baseUrl, workspace.orgId);
  if (locations !== undefined) {
    const flags = Object.fromEntries(
      LOCATIONS.map((each) => [each, locations.includes(each)]),
    ) as LocationFlags;
    await workspace.session.call(organisationEndpoints.updateDataLocations, {
      params: { orgId: workspace.orgId },
      body: { locations: flags },
    });
  }
  const features: Feature[] = [];
  const values: Record<string, PlanValues[string]> = {};
  for (let number = 1; number <= featureCount; number += 1) {
    const slug = featureSlug(number);
    const meter = isMetered ? meters[number - 1] : undefined;
    const properties = meter === undefined ? plainProperties : [...plainProperties, meteredProperty];
    features.push(await createFeature(workspace, { name: `Feature ${number}`, slug, properties }));
    values[slug] = {
      limit: 100 + number,
      exportFormats: 'csv,xlsx',
      sharing: number % 2 === 0,
      ...(meter !== undefined && { [METER_KEY]: { state: 'metered', meter } as const }),
    };
  }
  const visitors = { name: 'Plan visitors', slug: 'visitors', grantToAnonymousSessions: true, values };
  await createPlan(workspace, visitors, features);
  const users = { name: 'Plan users', slug: 'users', grantToAuthenticatedUsers: true, values };
  await createPlan(workspace, users, features);
  for (let number = 1; number <= workflows; number += 1) {
    // Reads its input and gives a plan that the customer has already.
    const source = `export default ({ customer, now }) => (customer.isCustomer && now < ${number} ? [] : ['users']);`;
    await createWorkflow(workspace, { name: `Workflow ${number}`, type: 'dynamic-provisioning', source });
  }
  const { secretKey, envId } = await createDeployed(workspace, { name: 'Production', type: 'live' });
  const propertyId = features[0]?.properties.find(({ propertyKey }) => propertyKey === METER_KEY)?.id ?? '';
  for (const [identifier, count] of balancesOf ?? [])
    for (let number = 0; number < count; number += 1) {
      await workspace.session.call(customerBalanceEndpoints.give, {
        params: { orgId: workspace.orgId, identifier },
        // Before the quota, so that every update draws from one.
        body: {
          ...{ environmentId: envId, propertyId, amount: 1_000_000_000, category: 'paid', priority: 10 },
          reason: 'Bought',
        },
      });
    }
  await waitUntilServed(baseUrl, secretKey);
  return secretKey;
}

const plainProperties: readonly PropertySpec[] = [
  { name: 'Limit', propertyKey: 'limit', type: 'number' },
  { name: 'Export formats', propertyKey: 'exportFormats', type: 'string' },
  { name: 'Sharing', propertyKey: 'sharing', type: 'boolean' },
];
const meteredProperty: PropertySpec = { name: 'Usage', propertyKey: METER_KEY, type: 'meterable' };

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
