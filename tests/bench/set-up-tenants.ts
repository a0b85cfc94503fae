// Creates small organisations through the API, each with one plan and at most one workflow that runs in all its environments.
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { environmentEndpoints } from '#contracts/console/environments';
import { planEndpoints } from '#contracts/console/plans';
import { workflowEndpoints } from '#contracts/console/workflows';
import { type ApiSession, readAnswer } from '../../dev/api-session.ts';
import { demoAccount } from '../../dev/demo/demo-account.ts';
import { signInAs } from '../../dev/demo/sign-in-demo.ts';
import { chooseGrow } from './choose-grow.ts';
import type { TenantKeys } from './messages.ts';

const HARMLESS = "export default ({ customer, now }) => (customer.isCustomer && now < 1 ? [] : ['users']);";
const ENDLESS = 'export default () => { for (;;); };';
/** Almost all steps of a run's budget, so that it is never killed. */
const EXPENSIVE = `export default () => {
  let sum = 0;
  for (let index = 0; index < 990000; index++) sum += index;
  return sum < 0 ? [] : ['users'];
};`;
/** The many organisations, with one environment each: shares of a runner are by organisation. An account owns 20 at most. */
const MANY_OWNERS = 5;
const ORGANISATIONS_OF_OWNER = 20;
/** Environments of the endless organisation, whose workflow is disabled in one after the other. */
const ENDLESS_ENVIRONMENTS = 20;

/** @returns secret keys, once each environment answers */
export async function setUpTenants(baseUrl: string): Promise<TenantKeys> {
  const session = await signInAs(baseUrl, demoAccount);
  const create = (slug: string, compiled: string | null, environments = 1) =>
    createTenant(session, baseUrl, { slug, compiled, environments });
  const [plain = ''] = await create('plain', null);
  const [working = ''] = await create('working', HARMLESS);
  const ordinary = await create('ordinary', null);
  const harmless = await create('harmless', HARMLESS);
  const expensive = await create('expensive', EXPENSIVE);
  const endless = await create('endless', ENDLESS, ENDLESS_ENVIRONMENTS);
  const many: string[] = [];
  for (let owner = 1; owner <= MANY_OWNERS; owner += 1) {
    const email = `owner-${owner}@bench.example`;
    const owning = await signInAs(baseUrl, { ...demoAccount, email });
    for (let number = 1; number <= ORGANISATIONS_OF_OWNER; number += 1) {
      const tenant = { slug: `many-${owner}-${number}`, compiled: HARMLESS, environments: 1 };
      many.push(...(await createTenant(owning, baseUrl, tenant)));
    }
  }
  return { plain, working, floods: { ordinary, harmless, expensive, endless }, many };
}

interface Tenant {
  readonly slug: string;
  /** Compiled code of its workflow; null without one. */
  readonly compiled: string | null;
  readonly environments: number;
}

/** @returns a secret key of each environment */
async function createTenant(
  session: ApiSession,
  baseUrl: string,
  { slug, compiled, environments }: Tenant,
): Promise<string[]> {
  const created = await session.send('POST', '/api/auth/organization/create', { name: slug, slug });
  const { id: orgId } = await readAnswer<{ id: string }>(created, 'POST');
  const params = { orgId };
  await chooseGrow(baseUrl, orgId);
  const { planId } = await session.call(planEndpoints.create, {
    params,
    body: { name: 'Users', slug: 'users' },
  });
  const body = { grantToAuthenticatedUsers: true };
  await session.call(planEndpoints.update, { params: { orgId, planId }, body });
  if (compiled !== null) {
    const { id: workflowId } = await session.call(workflowEndpoints.create, {
      params,
      body: { name: 'Workflow', type: 'dynamic-provisioning' },
    });
    const code = { source: compiled, compiled };
    await session.call(workflowEndpoints.update, { params: { orgId, workflowId }, body: code });
  }
  const { artifactId } = await session.call(artifactEndpoints.create, { params });
  const keys: string[] = [];
  for (let number = 1; number <= environments; number += 1) {
    const environment = { name: `Production ${number}`, type: 'live' } as const;
    const { id: envId } = await session.call(environmentEndpoints.create, { params, body: environment });
    const key = { environmentId: envId, type: 'secret' } as const;
    const { value } = await session.call(apiKeyEndpoints.create, { params, body: key });
    await session.call(deploymentEndpoints.deploy, { params: { orgId, envId }, body: { artifactId } });
    await waitUntilServed(baseUrl, value, artifactId);
    keys.push(value);
  }
  return keys;
}

async function waitUntilServed(baseUrl: string, secretKey: string, artifactId: string): Promise<void> {
  let text = '';
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`${baseUrl}/api/v1/access-checks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: '{"userIdentifier":"ada@example.com"}',
    });
    text = await response.text();
    if (response.ok && text.includes(artifactId)) return;
    await new Promise((settle) => setTimeout(settle, 100));
  }
  throw new Error(`The access check is not answered with ${artifactId}: ${text.slice(0, 500)}`);
}
