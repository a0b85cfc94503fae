// Seeds the demo organisation through the console API. An interrupted seed continues where it stopped; a complete one (its
// quick start is finished) is never changed again.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { type Environment, environmentEndpoints } from '#contracts/console/environments';
import { type Feature, featureEndpoints } from '#contracts/console/features';
import { organisationEndpoints } from '#contracts/console/organisations';
import { planEndpoints } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import type { ApiSession } from '../workspace/api-session.ts';
import {
  addProperties,
  createFeature,
  createKey,
  createOrganisation,
  createPlan,
  getItem,
  planProperties,
  setPlanValues,
  type Workspace,
} from '../workspace/build-workspace.ts';
import { connectStripe, waitForSync } from '../workspace/connect-stripe.ts';
import { waitUntil } from '../workspace/wait-until.ts';
import { ensureTokenIssuer } from './connect-token-issuer.ts';
import { demoAccount, signInDemo } from './demo-account.ts';
import { subscribers, trialCustomer } from './demo-customers.ts';
import { demoFeatures } from './demo-features.ts';
import { demoPlans, secondVersion } from './demo-plans.ts';
import { ensureWorkflows } from './demo-workflows.ts';
import { type ExampleCheck, findExampleCheck, findSecretKey } from './example-check.ts';
import { findDemoOrganisation } from './find-demo-organisation.ts';
import { linkDemoProducts } from './link-products.ts';
import { seedBalances } from './seed-balances.ts';
import { seedHistory } from './seed-history.ts';
import { seedOverrides } from './seed-overrides.ts';
import { simulateUsage } from './simulate-usage.ts';

const demoEnvironments = [
  {
    name: 'Production',
    type: 'live',
    description: 'What customers use.',
    url: 'https://app.acme-analytics.example',
  },
  {
    name: 'Staging',
    type: 'test',
    description: 'Where the next release is tried.',
    url: 'https://staging.acme-analytics.example',
  },
] as const;

export interface DemoAccess extends ExampleCheck {
  email: string;
  password: string;
}

export interface DemoOptions {
  baseUrl: string;
  /** Key of the account that a new demo connects to; null without an emulator, and then without Stripe. */
  stripeKey: string | null;
  /** Is told what a new demo gets next. */
  say?: (step: string) => void;
}

/** @throws {SignInRefusedError} if the demo user has another password by now, or may not sign in */
export async function seedDemo(options: DemoOptions): Promise<DemoAccess> {
  const { baseUrl } = options;
  const session = await signInDemo(baseUrl);
  const { organisation } = demoAccount;
  const found = await findDemoOrganisation(session);
  const workspace =
    found === undefined
      ? await createOrganisation(session, organisation, 'acme-analytics')
      : { session, orgId: found.id };
  const params = { orgId: workspace.orgId };
  const { quickstartStatus } = await session.call(organisationEndpoints.get, { params });
  // One of another name is renamed, or was made by the demo user: it is not the seed's to fill.
  const isOwn = (found?.name ?? organisation) === organisation;
  if (isOwn && quickstartStatus !== 'finished') await setUp(workspace, options);
  const { email, password } = demoAccount;
  return { email, password, ...(await findExampleCheck(workspace, baseUrl)) };
}

async function setUp(
  workspace: Workspace<ApiSession>,
  { baseUrl, stripeKey, say = () => undefined }: DemoOptions,
): Promise<void> {
  const { session, orgId } = workspace;
  const params = { orgId };
  // First, so that the syncs run while the rest is seeded.
  const integrationId = stripeKey === null ? null : await ensureStripe(workspace, stripeKey);
  await ensureTokenIssuer(workspace);
  say('features, plans and workflows');
  const features = await ensureFeatures(workspace);
  await ensurePlans(workspace, features);
  await ensureWorkflows(workspace, features);

  say('versions and environments');
  let versions = await session.call(artifactEndpoints.list, { params });
  if (versions.length === 0) {
    if (integrationId !== null) {
      await waitForSync(workspace, integrationId, 'stripe-product');
      await linkDemoProducts(workspace, integrationId);
    }
    versions = [await session.call(artifactEndpoints.create, { params, body: { note: 'First release' } })];
  }
  if (versions.length === 1) {
    const plans = await session.call(planEndpoints.list, { params });
    const plan = getItem(plans, ({ planSlug }) => planSlug === secondVersion.planSlug);
    await setPlanValues(workspace, plan, planProperties(features, secondVersion.values));
    versions.unshift(
      await session.call(artifactEndpoints.create, { params, body: { note: secondVersion.note } }),
    );
  }

  const firstVersion = versions.find(({ artifactNumber }) => artifactNumber === 1) ?? versions.at(-1);
  const environments = await ensureEnvironments(workspace);
  for (const { id: envId, type, artifactId } of environments) {
    await ensureKeys(workspace, envId);
    if (type === 'preview' || artifactId !== null || firstVersion === undefined) continue;
    const body = { artifactId: firstVersion.artifactId };
    await session.call(deploymentEndpoints.deploy, { params: { orgId, envId }, body });
  }
  say('customers');
  await seedOverrides(workspace, features, Date.now());
  if (integrationId !== null) await waitForSync(workspace, integrationId, 'stripe-customer');
  await waitForDeployments(workspace);
  for (const environment of environments) {
    const secretKey = environment.type === 'preview' ? null : await findSecretKey(workspace, environment);
    if (secretKey === null) continue;
    const subscribe = environment.type === 'test' && integrationId !== null ? subscribers : [];
    await simulateUsage(baseUrl, secretKey, [trialCustomer, ...subscribe]);
    if (subscribe.length > 0)
      await seedBalances(workspace, { baseUrl, environmentId: environment.id, now: Date.now() });
  }
  say('a month of events');
  await seedHistory(workspace, { baseUrl, environments, integrationId, now: Date.now() });
  await session.call(organisationEndpoints.update, {
    params,
    body: { description: 'Product analytics for growing teams.', quickstartStatus: 'finished' },
  });
}

async function ensureStripe(workspace: Workspace, secretKey: string): Promise<string> {
  const { session, orgId } = workspace;
  const [present] = await session.call(stripeIntegrationEndpoints.list, { params: { orgId } });
  const body = { description: 'Where customers subscribe, in test mode.', secretKey };
  return connectStripe(workspace, body, present);
}

async function ensureFeatures(workspace: Workspace): Promise<Feature[]> {
  const { session, orgId } = workspace;
  const present = await session.call(featureEndpoints.list, { params: { orgId } });
  for (const feature of demoFeatures) {
    const found = present.find(({ slug }) => slug === feature.slug);
    const { properties: all, ...body } = feature;
    const free = all.flatMap(({ costs, ...each }) => (costs === undefined ? [each] : []));
    const made = await (found === undefined
      ? createFeature(workspace, { ...body, properties: free })
      : addProperties(workspace, found, free));
    const paid = all.flatMap(({ costs, ...each }) => {
      if (costs === undefined) return [];
      const { id: propertyId } = getItem(made.properties, ({ propertyKey }) => propertyKey === costs.of);
      return [{ ...each, costs: { propertyId, per: costs.per } }];
    });
    await addProperties(workspace, made, paid);
  }
  return session.call(featureEndpoints.list, { params: { orgId } });
}

async function ensurePlans(workspace: Workspace, features: readonly Feature[]): Promise<void> {
  const { session, orgId } = workspace;
  const present = await session.call(planEndpoints.list, { params: { orgId } });
  for (const { products: _, timesQuantity: __, ...plan } of demoPlans) {
    const found = present.find(({ planSlug }) => planSlug === plan.slug);
    if (found === undefined) {
      await createPlan(workspace, plan, features);
      continue;
    }
    const { grantToAnonymousSessions = false, grantToAuthenticatedUsers = false } = plan;
    const { isAddOn = false, isPublic = false, values } = plan;
    const params = { orgId, planId: found.planId };
    const body = { grantToAnonymousSessions, grantToAuthenticatedUsers, isAddOn, isPublic };
    await session.call(planEndpoints.update, { params, body });
    const version = { ...params, version: String(found.currentVersion) };
    const { properties } = await session.call(planEndpoints.getVersion, { params: version });
    if (Object.keys(properties).length > 0) continue;
    await setPlanValues(workspace, found, planProperties(features, values));
  }
}

async function ensureEnvironments({ session, orgId }: Workspace): Promise<Environment[]> {
  const params = { orgId };
  const present = await session.call(environmentEndpoints.list, { params });
  for (const body of demoEnvironments) {
    if (present.some(({ name }) => name === body.name)) continue;
    await session.call(environmentEndpoints.create, { params, body });
  }
  return session.call(environmentEndpoints.list, { params });
}

async function ensureKeys(workspace: Workspace, environmentId: string): Promise<void> {
  const { session, orgId } = workspace;
  const { keys } = await session.call(apiKeyEndpoints.list, { params: { orgId, environmentId } });
  for (const type of ['secret', 'public'] as const) {
    if (!keys.some((key) => key.type === type)) await createKey(workspace, environmentId, type);
  }
}

/** Waits until every data location has the deployment, so that the printed command works immediately. */
async function waitForDeployments({ session, orgId }: Workspace): Promise<void> {
  await waitUntil('every data location has the deployment', async () => {
    const { environments } = await session.call(deploymentEndpoints.status, { params: { orgId } });
    return environments.every(({ deployInProgress }) => !deployInProgress);
  });
}
