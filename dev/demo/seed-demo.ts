// Seeds the demo organisation through the console API. An interrupted seed continues where it stopped; a complete one (its
// quick start is finished) is never changed again.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { type Environment, environmentEndpoints } from '#contracts/console/environments';
import { type Feature, featureEndpoints } from '#contracts/console/features';
import { organisationEndpoints } from '#contracts/console/organisations';
import { type Plan, type PlanProperties, type PlanValue, planEndpoints } from '#contracts/console/plans';
import { type ApiSession, readAnswer } from '../workspace/api-session.ts';
import { ensureStripe, waitForSync } from './connect-stripe.ts';
import { ensureTokenIssuer } from './connect-token-issuer.ts';
import { demoAccount } from './demo-account.ts';
import { subscribers, trialCustomer } from './demo-customers.ts';
import { demoFeatures } from './demo-features.ts';
import { type DemoPlanValues, demoPlans, secondVersion } from './demo-plans.ts';
import { ensureWorkflows } from './demo-workflows.ts';
import { type ExampleCheck, findExampleCheck, findSecretKey } from './example-check.ts';
import { findDemoOrganisation } from './find-demo-organisation.ts';
import { linkProducts } from './link-products.ts';
import { seedHistory } from './seed-history.ts';
import { seedOverrides } from './seed-overrides.ts';
import { signInDemo } from '../workspace/sign-in.ts';
import { simulateUsage } from './simulate-usage.ts';
import { getItem, type Workspace, waitUntil } from '../workspace/workspace.ts';

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
}

/** @throws {SignInRefusedError} if the demo user has another password by now, or may not sign in */
export async function seedDemo({ baseUrl, stripeKey }: DemoOptions): Promise<DemoAccess> {
  const session = await signInDemo(baseUrl);
  const { id: orgId, name } = (await findDemoOrganisation(session)) ?? (await createOrganisation(session));
  const workspace = { session, orgId };
  const { quickstartStatus } = await session.call(organisationEndpoints.get, { params: { orgId } });
  // One of another name is renamed, or was made by the demo user: it is not the seed's to fill.
  const isOwn = name === demoAccount.organisation;
  if (isOwn && quickstartStatus !== 'finished') await setUp(workspace, { baseUrl, stripeKey });
  const { email, password } = demoAccount;
  return { email, password, ...(await findExampleCheck(workspace, baseUrl)) };
}

async function createOrganisation(session: ApiSession): Promise<{ id: string; name: string }> {
  const name = demoAccount.organisation;
  const body = { name, slug: 'acme-analytics' };
  return readAnswer(await session.send('POST', '/api/auth/organization/create', body), 'POST');
}

async function setUp(workspace: Workspace, { baseUrl, stripeKey }: DemoOptions): Promise<void> {
  const { session, orgId } = workspace;
  const params = { orgId };
  // First, so that the syncs run while the rest is seeded.
  const integrationId = stripeKey === null ? null : await ensureStripe(workspace, stripeKey);
  await ensureTokenIssuer(workspace);
  const features = await ensureFeatures(workspace);
  await ensurePlans(workspace, features);
  await ensureWorkflows(workspace, features);

  let versions = await session.call(artifactEndpoints.list, { params });
  if (versions.length === 0) {
    if (integrationId !== null) {
      await waitForSync(workspace, integrationId, 'stripe-product');
      await linkProducts(workspace, integrationId);
    }
    versions = [await session.call(artifactEndpoints.create, { params, body: { note: 'First release' } })];
  }
  if (versions.length === 1) {
    await setPlanValues(workspace, features, secondVersion.planSlug, secondVersion.values);
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
  await seedOverrides(workspace, features, Date.now());
  if (integrationId !== null) await waitForSync(workspace, integrationId, 'stripe-customer');
  await waitForDeployments(workspace);
  for (const environment of environments) {
    const secretKey = environment.type === 'preview' ? null : await findSecretKey(workspace, environment);
    if (secretKey === null) continue;
    const subscribe = environment.type === 'test' && integrationId !== null ? subscribers : [];
    await simulateUsage(baseUrl, secretKey, [trialCustomer, ...subscribe]);
  }
  await seedHistory(workspace, { baseUrl, environments, integrationId, now: Date.now() });
  await session.call(organisationEndpoints.update, {
    params,
    body: { description: 'Product analytics for growing teams.', quickstartStatus: 'finished' },
  });
}

async function ensureFeatures({ session, orgId }: Workspace): Promise<Feature[]> {
  const present = await session.call(featureEndpoints.list, { params: { orgId } });
  for (const { properties, ...definition } of demoFeatures) {
    const feature =
      present.find(({ slug }) => slug === definition.slug) ??
      (await session.call(featureEndpoints.create, { params: { orgId }, body: definition }));
    const params = { orgId, featureId: feature.id };
    const presentKeys = new Set(feature.properties.map(({ propertyKey }) => propertyKey));
    for (const property of properties) {
      if (presentKeys.has(property.propertyKey)) continue;
      await session.call(featureEndpoints.createProperty, { params, body: property });
    }
  }
  return session.call(featureEndpoints.list, { params: { orgId } });
}

async function ensurePlans(workspace: Workspace, features: readonly Feature[]): Promise<void> {
  const { session, orgId } = workspace;
  const present = await session.call(planEndpoints.list, { params: { orgId } });
  for (const {
    values,
    grantToAnonymousSessions,
    grantToAuthenticatedUsers,
    name,
    slug,
    description,
  } of demoPlans) {
    const definition = { name, slug, description };
    let plan = present.find(({ planSlug }) => planSlug === definition.slug);
    plan ??= await session.call(planEndpoints.create, { params: { orgId }, body: definition });
    const params = { orgId, planId: plan.planId };
    const grants = { grantToAnonymousSessions, grantToAuthenticatedUsers };
    await session.call(planEndpoints.update, { params, body: grants });
    if (isEmpty(await readPlanValues(workspace, plan))) {
      await setPlanValues(workspace, features, definition.slug, values);
    }
  }
}

async function readPlanValues({ session, orgId }: Workspace, plan: Plan): Promise<PlanProperties> {
  const params = { orgId, planId: plan.planId, version: String(plan.currentVersion) };
  return (await session.call(planEndpoints.getVersion, { params })).properties;
}

function isEmpty(properties: PlanProperties): boolean {
  return Object.keys(properties).length === 0;
}

/** Replaces a plan's values. Turns on every listed feature through its system property. */
async function setPlanValues(
  { session, orgId }: Workspace,
  features: readonly Feature[],
  planSlug: string,
  values: DemoPlanValues,
): Promise<void> {
  const plans = await session.call(planEndpoints.list, { params: { orgId } });
  const { planId, currentVersion } = getItem(plans, (plan) => plan.planSlug === planSlug);
  const properties = values.map(([featureSlug, configured]) => {
    const feature = getItem(features, ({ slug }) => slug === featureSlug);
    const switches = feature.systemFeatureProperties.map(
      ({ id }) => ({ id, type: 'boolean', value: true }) as const,
    );
    const own = configured.map(([key, value]) => {
      const { id, type } = getItem(feature.properties, ({ propertyKey }) => propertyKey === key);
      return { id, type, value };
    });
    return [feature.id, [...switches, ...own]] as [string, PlanValue[]];
  });
  await session.call(planEndpoints.updateVersion, {
    params: { orgId, planId, version: String(currentVersion) },
    body: { properties: Object.fromEntries(properties) },
  });
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

async function ensureKeys({ session, orgId }: Workspace, environmentId: string): Promise<void> {
  const { keys } = await session.call(apiKeyEndpoints.list, { params: { orgId, environmentId } });
  for (const type of ['secret', 'public'] as const) {
    if (keys.some((key) => key.type === type)) continue;
    await session.call(apiKeyEndpoints.create, { params: { orgId }, body: { environmentId, type } });
  }
}

/** Waits until every data location has the deployment, so that the printed command works immediately. */
async function waitForDeployments({ session, orgId }: Workspace): Promise<void> {
  await waitUntil('every data location has the deployment', async () => {
    const { environments } = await session.call(deploymentEndpoints.status, { params: { orgId } });
    return environments.every(({ deployInProgress }) => !deployInProgress);
  });
}
