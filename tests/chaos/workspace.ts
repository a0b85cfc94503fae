// What a run works on: an organisation in three data locations, a live environment with one feature of four meters, and a
// Stripe account whose product grants a plan, and a workflow that grants another. Created through the API.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { environmentEndpoints } from '#contracts/console/environments';
import { featureEndpoints } from '#contracts/console/features';
import { organisationEndpoints } from '#contracts/console/organisations';
import { type PlanValue, planEndpoints } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { sudoEndpoints } from '#contracts/console/sudo';
import { workflowEndpoints } from '#contracts/console/workflows';
import type { Meter } from '#contracts/public/values';
import { type ApiSession, readAnswer } from '../../dev/workspace/api-session.ts';
import { signInDemo } from '../../dev/workspace/sign-in.ts';
import type { StripeControl } from './stripe-control.ts';

export const FEATURE = 'usage';
export const PAID_PLAN = 'paid';
/** What the workflow of the run adds for everyone. */
export const WORKFLOW_PLAN = 'bonus';
/** What one customer may take of the `capped` meter, ever. */
export const CAP = 60;

const LOCATION_KEYS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'sam', 'oc', 'afr', 'me'] as const;

/** A data location of the run, and a place whose nearest location it is. */
export const PLACES = [
  {
    location: 'weur',
    cf: { country: 'GB', continent: 'EU', city: 'London', latitude: '51.5', longitude: '-0.1', colo: 'LHR' },
  },
  {
    location: 'enam',
    cf: {
      country: 'US',
      continent: 'NA',
      city: 'New York',
      latitude: '40.7',
      longitude: '-74.0',
      colo: 'EWR',
    },
  },
  {
    location: 'apac',
    cf: {
      country: 'SG',
      continent: 'AS',
      city: 'Singapore',
      latitude: '1.3',
      longitude: '103.8',
      colo: 'SIN',
    },
  },
] as const;

export type Place = (typeof PLACES)[number];

/** Where everything of a customer happens whose order matters. */
export const homeOf = (customerIndex: number): Place => PLACES[customerIndex % PLACES.length] as Place;

const METERS: Readonly<Record<string, Meter>> = {
  total: { limit: 1_000_000_000, periodType: 'lifetime', uniqueResourceIds: false },
  monthly: {
    limit: 1_000_000_000,
    periodType: 'rolling',
    periodCount: 1,
    periodLength: 'month',
    uniqueResourceIds: false,
  },
  capped: { limit: CAP, periodType: 'lifetime', uniqueResourceIds: false },
  seats: { limit: 1_000_000, periodType: 'lifetime', uniqueResourceIds: true },
};

export interface Workspace {
  readonly orgId: string;
  readonly envId: string;
  readonly secretKey: string;
  readonly integrationId: string;
}

export async function setUpWorkspace(baseUrl: string, stripe: StripeControl): Promise<Workspace> {
  const session = await signInDemo(baseUrl);
  const created = await session.send('POST', '/api/auth/organization/create', {
    name: 'Chaos',
    slug: 'chaos',
  });
  const { id: orgId } = await readAnswer<{ id: string }>(created, 'POST');
  const params = { orgId };
  await session.send('POST', '/dev/staff');
  await session.call(sudoEndpoints.updateOrganisation, { params, body: { plan: 'grow' } });
  const enabled = new Set<string>(PLACES.map(({ location }) => location));
  const locations = Object.fromEntries(LOCATION_KEYS.map((key) => [key, enabled.has(key)]));
  await session.call(organisationEndpoints.updateDataLocations, {
    params,
    body: { locations: locations as never },
  });

  const properties = await createFeature(session, orgId);
  const users = await createPlan(session, orgId, 'users', properties);
  await session.call(planEndpoints.update, {
    params: { orgId, planId: users.planId },
    body: { grantToAuthenticatedUsers: true },
  });
  const integrationId = await connectStripe(session, orgId, stripe);
  const paid = await createPlan(session, orgId, PAID_PLAN, properties);
  await session.call(planEndpoints.updateProducts, {
    params: { orgId, planId: paid.planId },
    body: {
      addProducts: [{ integrationId, productId: stripe.productId, version: paid.version }],
      removeProducts: [],
    },
  });

  await createPlan(session, orgId, WORKFLOW_PLAN, {});
  await createWorkflow(session, orgId);

  const { artifactId } = await session.call(artifactEndpoints.create, { params });
  // Of type test, so that subscriptions of both modes count.
  const { id: envId } = await session.call(environmentEndpoints.create, {
    params,
    body: { name: 'Chaos', type: 'test' },
  });
  const { value: secretKey } = await session.call(apiKeyEndpoints.create, {
    params,
    body: { environmentId: envId, type: 'secret' },
  });
  await session.call(deploymentEndpoints.deploy, { params: { orgId, envId }, body: { artifactId } });
  return { orgId, envId, secretKey, integrationId };
}

async function createFeature(session: ApiSession, orgId: string): Promise<Record<string, PlanValue[]>> {
  const feature = await session.call(featureEndpoints.create, {
    params: { orgId },
    body: { name: 'Usage', slug: FEATURE },
  });
  const values: PlanValue[] = [];
  for (const [propertyKey, meter] of Object.entries(METERS)) {
    const { id } = await session.call(featureEndpoints.createProperty, {
      params: { orgId, featureId: feature.id },
      body: { name: `The ${propertyKey} meter`, propertyKey, type: 'meterable' },
    });
    values.push({ id, type: 'meterable', value: { state: 'metered', meter } });
  }
  return { [feature.id]: values };
}

async function createPlan(
  session: ApiSession,
  orgId: string,
  slug: string,
  properties: Record<string, PlanValue[]>,
): Promise<{ planId: string; version: number }> {
  const plan = await session.call(planEndpoints.create, {
    params: { orgId },
    body: { name: `Plan ${slug}`, slug },
  });
  const params = { orgId, planId: plan.planId, version: String(plan.currentVersion) };
  const { currentVersion: version } = await session.call(planEndpoints.updateVersion, {
    params,
    body: { properties },
  });
  return { planId: plan.planId, version };
}

async function createWorkflow(session: ApiSession, orgId: string): Promise<void> {
  const { id: workflowId } = await session.call(workflowEndpoints.create, {
    params: { orgId },
    body: { name: 'Bonus for everyone', type: 'dynamic-provisioning' },
  });
  const code = `export default function workflow() {\n  return ['${WORKFLOW_PLAN}'];\n}\n`;
  const body = { source: code, compiled: code };
  await session.call(workflowEndpoints.update, { params: { orgId, workflowId }, body });
}

async function connectStripe(session: ApiSession, orgId: string, stripe: StripeControl): Promise<string> {
  const { id: integrationId } = await session.call(stripeIntegrationEndpoints.create, {
    params: { orgId },
    body: { secretKey: stripe.secretKey },
  });
  const params = { orgId, integrationId };
  await session.call(stripeIntegrationEndpoints.addWebhook, { params, body: { mode: 'automatic' } });
  for (const type of ['stripe-product', 'stripe-customer'] as const) {
    await session.call(stripeIntegrationEndpoints.startSync, { params, body: { type } });
  }
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { syncJobs } = await session.call(stripeIntegrationEndpoints.get, { params });
    if (syncJobs.length > 0 && syncJobs.every(({ status }) => status === 'finished')) return integrationId;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('The first sync did not finish');
}
