// What a run works on: an organisation in three data locations, an environment with one feature of ten meters and a number, a Stripe
// account whose product grants a plan times its quantity, each limit of which counts for its share of the period, a plan that is granted by API, and a workflow that grants another.
import { organisationEndpoints } from '#contracts/console/organisations';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { DEFAULT_POLICY } from '#contracts/console/subscription-policy';
import { sudoEndpoints } from '#contracts/console/sudo';
import { topUpEndpoints } from '#contracts/console/top-ups';
import type { Meter } from '#contracts/public/values';
import { signInDemo } from '../../dev/demo/demo-account.ts';
import {
  addProperties,
  createDeployed,
  createFeature,
  createKey,
  createOrganisation,
  createPlan,
  createWorkflow,
  getItem,
} from '../../dev/workspace/build-workspace.ts';
import { connectStripe, linkProducts, waitForSync } from '../../dev/workspace/connect-stripe.ts';
import type { StripeControl } from './stripe-control.ts';

export const FEATURE = 'usage';
/** Metadata of Stripe customers that names created ones. */
export const USER_ID_KEY = 'workspace';
/** Of everyone who has an identifier. */
export const EVERYONES_PLAN = 'users';
export const PAID_PLAN = 'paid';
/** How many licences the paid plan has, times the quantity. */
export const LICENCES = 5;
/** Granted and revoked by API. */
export const GRANTED_PLAN = 'granted';
/** What the workflow of the run adds for everyone. */
export const WORKFLOW_PLAN = 'bonus';
/** What one customer may take of the `capped` meter, ever. */
export const CAP = 60;
/** What each one gives that is bought in Stripe. */
export const UNITS = 7;
/** Of the `credits` meter, beside balances. */
const QUOTA = 10;

/** Of the wallet, what a message costs. */
export const MESSAGE_COST = 1.5;
/** Of the meter that rolls over: a month, and the most that rolls over. */
export const ROLLING = { limit: 25, most: 15 } as const;

/** Of the paid plan, times the quantity, in a billing month: the limit, and what may be used above it. */
export const ALLOWANCE = { limit: 20, upTo: 5 } as const;
/** Of what a customer may take of the `capped` meter, what is above its limit. */
const CAP_OVERAGE = 20;
/** The calendar of the organisation, whose months begin so much before those of UTC. */
const ZONE = 'Asia/Kathmandu';
const ZONE_AHEAD_MS = 5.75 * 3_600_000;

/** When a month of the calendar begins, epoch milliseconds. @param months after the one of `now` */
export function monthStart(now: number, months: number): number {
  const shown = new Date(now + ZONE_AHEAD_MS);
  return Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + months, 1) - ZONE_AHEAD_MS;
}

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
  credits: { limit: QUOTA, periodType: 'lifetime', uniqueResourceIds: false },
  // Bought in Stripe, and never used.
  bought: { limit: 0, periodType: 'lifetime', uniqueResourceIds: false },
  capped: {
    ...{ limit: CAP - CAP_OVERAGE, periodType: 'lifetime', uniqueResourceIds: false },
    overage: { upTo: CAP_OVERAGE },
  },
  allowance: { limit: 0, periodType: 'lifetime', uniqueResourceIds: false },
  seats: { limit: 1_000_000, periodType: 'lifetime', uniqueResourceIds: true },
  wallet: { limit: 1_000_000_000, periodType: 'lifetime', uniqueResourceIds: false },
  messages: { limit: 1_000_000_000, periodType: 'lifetime', uniqueResourceIds: false },
  rolling: {
    ...{ limit: ROLLING.limit, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
    uniqueResourceIds: false,
    rollover: { max: ROLLING.most, lasts: { months: 1 } },
  },
};

export interface ChaosWorkspace {
  readonly orgId: string;
  readonly envId: string;
  /** It manages customers. */
  readonly secretKey: string;
  readonly integrationId: string;
}

export async function setUpWorkspace(baseUrl: string, stripe: StripeControl): Promise<ChaosWorkspace> {
  const session = await signInDemo(baseUrl);
  const workspace = await createOrganisation(session, 'Chaos', 'chaos');
  const { orgId } = workspace;
  const params = { orgId };
  await session.send('POST', '/dev/staff');
  await session.call(sudoEndpoints.updateOrganisation, { params, body: { plan: 'grow' } });
  const enabled = new Set<string>(PLACES.map(({ location }) => location));
  const locations = Object.fromEntries(LOCATION_KEYS.map((key) => [key, enabled.has(key)]));
  await session.call(organisationEndpoints.updateDataLocations, {
    params,
    body: { locations: locations as never },
  });

  await session.call(organisationEndpoints.update, { params, body: { zone: ZONE } });

  const properties = Object.keys(METERS).map((propertyKey) => ({
    ...{ name: `The ${propertyKey} meter`, propertyKey, type: 'meterable' as const },
  }));
  const free = await createFeature(workspace, {
    name: 'Usage',
    slug: FEATURE,
    properties: [
      ...properties.filter(({ propertyKey }) => propertyKey !== 'messages'),
      { name: 'Licences', propertyKey: 'licences', type: 'number', value: 0 },
    ],
  });
  const wallet = getItem(free.properties, ({ propertyKey }) => propertyKey === 'wallet');
  const costs = { propertyId: wallet.id, per: MESSAGE_COST };
  const feature = await addProperties(
    workspace,
    free,
    properties.map((property) => (property.propertyKey === 'messages' ? { ...property, costs } : property)),
  );
  const perEntity = { limit: 1_000_000_000, periodType: 'lifetime' } as const;
  const metered = Object.entries(METERS).map(
    ([key, meter]) => [key, { state: 'metered', meter, ...(key === 'total' && { perEntity }) }] as const,
  );
  const values = { [FEATURE]: Object.fromEntries(metered) };
  const users = { name: 'Plan users', slug: EVERYONES_PLAN, grantToAuthenticatedUsers: true, values };
  await createPlan(workspace, users, [feature]);
  const integrationId = await connectStripe(workspace, { secretKey: stripe.secretKey });
  for (const type of ['stripe-product', 'stripe-customer'] as const)
    await waitForSync(workspace, integrationId, type);
  await session.call(stripeIntegrationEndpoints.update, {
    params: { orgId, integrationId },
    body: {
      userIdKey: USER_ID_KEY,
      subscriptionPolicy: { ...DEFAULT_POLICY, onPlanChange: 'proportional' },
    },
  });
  // What a customer may take changes all the time with the quantity, but nothing of it is enforced.
  const allowance: Meter = {
    ...{ limit: ALLOWANCE.limit, periodType: 'billing', periodCount: 1, periodLength: 'month' },
    ...{ uniqueResourceIds: false, overage: { upTo: ALLOWANCE.upTo } },
  };
  const paidValues = { licences: LICENCES, allowance: { state: 'metered', meter: allowance } } as const;
  const paid = { name: 'Plan paid', slug: PAID_PLAN, values: { [FEATURE]: paidValues } };
  const paidPlan = await createPlan(workspace, paid, [feature]);
  await linkProducts(workspace, paidPlan, integrationId, [stripe.productId], true);
  await createPlan(workspace, { name: 'Plan granted', slug: GRANTED_PLAN });
  const bought = feature.properties.find(({ propertyKey }) => propertyKey === 'bought');
  await session.call(topUpEndpoints.set, {
    params: { orgId, integrationId, priceId: stripe.topUpPriceId },
    body: {
      ...{ productId: stripe.topUpProductId, propertyId: bought?.id ?? '', amount: UNITS },
      ...{ category: 'paid', priority: 50, lastsMonths: null, paysOverage: false },
    },
  });

  await createPlan(workspace, { name: 'Plan bonus', slug: WORKFLOW_PLAN });
  await createWorkflow(workspace, {
    name: 'Bonus for everyone',
    type: 'dynamic-provisioning',
    source: `export default function workflow() {\n  return ['${WORKFLOW_PLAN}'];\n}\n`,
  });
  // Of type test, so that subscriptions of both modes count.
  const { envId } = await createDeployed(workspace, { name: 'Chaos', type: 'test' });
  const secretKey = await createKey(workspace, envId, 'secret', true);
  return { orgId, envId, secretKey, integrationId };
}
