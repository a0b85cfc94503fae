// Seeds the organisations for screenshots of states, through the API of a local server: an empty one, one with a single feature and plan,
// and one with hundreds of everything. Existing ones are reused.
import { fennelKeySuffix } from '@tessera/stripe-emulator/demo-data/acme-account';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { environmentEndpoints, MAX_ENVIRONMENTS } from '#contracts/console/environments';
import { type Feature, featureEndpoints } from '#contracts/console/features';
import { currentUserEndpoints, organisationEndpoints } from '#contracts/console/organisations';
import { type Plan, type PlanProperties, planEndpoints } from '#contracts/console/plans';
import { workflowEndpoints } from '#contracts/console/workflows';
import { ensureTokenIssuer } from '../../dev/demo/connect-token-issuer.ts';
import type { ApiSession } from '../../dev/workspace/api-session.ts';
import {
  addProperties,
  createFeature,
  createKey,
  createOrganisation,
  createPlan,
  createWorkflow,
  type PropertySpec,
  setPlanValues,
  type Workspace,
} from '../../dev/workspace/build-workspace.ts';
import { connectStripe, waitForSync } from '../../dev/workspace/connect-stripe.ts';
import { readAnswer } from '../../dev/workspace/endpoint-caller.ts';
import { type Account, signInAs } from '../../dev/workspace/sign-in.ts';
import { seedCustomers } from './seed-customers.ts';

export const OWNER: Account = {
  email: 'olive.owner@states.example',
  password: 'correct-horse-battery',
  name: 'Olive Owner',
};
export const MEMBER: Account = {
  email: 'mallory.member@states.example',
  password: 'correct-horse-battery',
  name: 'Mallory Member',
};

/** The feature, plan and environment of the full organisation that have content. */
export const MAIN_ITEMS: readonly string[] = ['Team seats', 'Professional', 'Production'];

const FEATURES = 240;
const PLANS = 150;
const VERSIONS = 120;
const WORKFLOWS = 30;
const MEMBERS = 12;
// Together with the members' invitations, the maximum per organisation and hour.
const INVITATIONS = 37;

export interface SeededOrganisations {
  readonly empty: string;
  readonly bare: string;
  readonly full: string;
}

/** Takes a minute or two the first time. */
export async function seedStates(baseUrl: string): Promise<SeededOrganisations> {
  const session = await signInAs(baseUrl, OWNER);
  const found = await session.call(currentUserEndpoints.organisations, { params: {} });
  const ensure = async (name: string, fill: (workspace: Workspace<ApiSession>) => Promise<void>) => {
    const existing = found.find((organisation) => organisation.name === name);
    if (existing) return existing.id;
    // Gets its final name only when it is complete, so that an interrupted seed starts over.
    const workspace = await createOrganisation(session, `${name} (making)`);
    const params = { orgId: workspace.orgId };
    await fill(workspace);
    await session.call(organisationEndpoints.update, { params, body: { name } });
    return workspace.orgId;
  };
  return {
    empty: await ensure('Nothing yet', async () => {}),
    bare: await ensure('Bare beginnings', fillBare),
    full: await ensure('Northwind Traders International Holdings', (workspace) =>
      fillFull(workspace, baseUrl),
    ),
  };
}

async function fillBare(workspace: Workspace): Promise<void> {
  await createFeature(workspace, { name: 'Data export', slug: 'data-export' });
  await createPlan(workspace, { name: 'Starter', slug: 'starter' });
}

async function fillFull(workspace: Workspace<ApiSession>, baseUrl: string): Promise<void> {
  const first = await createFeature(workspace, {
    name: 'Team seats',
    slug: 'team-seats',
    description: 'How many people may work together.',
    properties: PROPERTIES,
  });
  const main = await createPlan(workspace, {
    name: 'Professional',
    slug: 'professional',
    description: 'For teams that outgrew the basics.',
  });
  await makeVersions(workspace, main);
  await inTurn(FEATURES, async (index) => {
    const [area, thing] = [
      AREAS[index % AREAS.length],
      THINGS[Math.floor(index / AREAS.length) % THINGS.length],
    ];
    const name = `${area} ${thing}${index < 200 ? '' : ` ${index}`}`;
    const feature = await createFeature(workspace, {
      name,
      slug: `${name.toLowerCase().replaceAll(' ', '-')}-${index}`.slice(0, 32).replace(/-$/, ''),
      description:
        index % 3 === 0
          ? `What a customer may do with ${thing} in ${area}, and how much of it, day by day.`
          : undefined,
    });
    if (index < 24) await addProperties(workspace, feature, PROPERTIES);
  });
  await inTurn(PLANS, async (index) => {
    await createPlan(workspace, {
      name: `Agreement ${String(index + 1).padStart(3, '0')}`,
      slug: `agreement-${index + 1}`,
      description: 'Negotiated.',
    });
  });
  await inTurn(WORKFLOWS, (index) => makeWorkflow(workspace, index, first));
  await configure(workspace, main);
  const secretKey = await makeEnvironments(workspace);
  await makePeople(workspace, baseUrl);
  await ensureTokenIssuer(workspace);
  const integrationId = await connectStripe(workspace, STRIPE);
  await waitForSync(workspace, integrationId, 'stripe-customer');
  await seedCustomers(workspace, { baseUrl, secretKey, plan: main, feature: first });
}

/** An account of the Stripe emulator, in both modes. */
const STRIPE = {
  description: 'Where customers subscribe, in test mode.',
  secretKey: `sk_test_emulator_${fennelKeySuffix}`,
};

const AREAS = [
  ...['Reports', 'Dashboards', 'Exports', 'Alerts', 'Search'],
  ...['Audit', 'Billing', 'Mobile', 'Storage', 'Sharing'],
];
const THINGS = [
  ...['API', 'history', 'templates', 'seats', 'retention', 'automation', 'branding'],
  ...['quotas', 'previews', 'roles', 'schedules', 'regions', 'imports', 'webhooks'],
  ...['comments', 'archives', 'approvals', 'snapshots', 'labels', 'insights'],
];

/** Makes workflows of both types; every third has no code yet, and every fifth is disabled. */
async function makeWorkflow(workspace: Workspace, index: number, feature: Feature): Promise<void> {
  const isBehaviour = index % 2 === 1;
  const workflowId = await createWorkflow(workspace, {
    name: `Agreement ${index + 1} of the international holdings`,
    description: index % 4 === 0 ? null : 'Negotiated terms, by country of the customer and date of sign-up.',
    type: isBehaviour ? 'feature-behaviour' : 'dynamic-provisioning',
    featureId: isBehaviour ? feature.id : null,
    ...(index % 3 !== 0 && { source: `export default () => ${isBehaviour ? '({})' : '[]'};` }),
  });
  if (index % 5 !== 0) return;
  const params = { orgId: workspace.orgId, workflowId };
  await workspace.session.call(workflowEndpoints.update, { params, body: { enabled: false } });
}

const PROPERTIES: readonly PropertySpec[] = [
  {
    name: 'Seats',
    propertyKey: 'seats',
    type: 'number',
    value: 5,
    bounds: { min: 1, max: 10_000, allowDecimal: false },
  },
  {
    name: 'Requests',
    propertyKey: 'requests',
    type: 'meterable',
    value: {
      state: 'metered',
      meter: {
        limit: 50_000,
        periodType: 'rolling',
        periodCount: 30,
        periodLength: 'day',
        uniqueResourceIds: false,
      },
    },
  },
  {
    name: 'Single sign-on',
    propertyKey: 'single-sign-on',
    type: 'boolean',
    value: false,
    description: 'Whether people sign in with their company’s own identity provider.',
  },
  {
    name: 'Support hours promised in the agreement',
    propertyKey: 'support-hours-promised-a',
    type: 'string',
    value: 'Monday to Friday, nine to five, in the time zone of the customer',
  },
  ...Array.from({ length: 10 }, (_, index) => ({
    name: `Limit ${index + 1}`,
    propertyKey: `limit-${index + 1}`,
    type: 'number' as const,
    value: index,
  })),
];

/** Consecutive versions differ in the plan's description. */
async function makeVersions({ session, orgId }: Workspace, { planId }: Plan): Promise<void> {
  await inTurn(VERSIONS, async (index) => {
    await session.call(planEndpoints.update, {
      params: { orgId, planId },
      body: { description: `For teams that outgrew the basics, edition ${index + 1}.` },
    });
    await session.call(artifactEndpoints.create, { params: { orgId } });
  });
}

/** Configures every feature with properties, at its default values. */
async function configure(workspace: Workspace, plan: Plan): Promise<void> {
  const { session, orgId } = workspace;
  const features = await session.call(featureEndpoints.list, { params: { orgId } });
  const entries = features
    .filter(({ properties }) => properties.length > 0)
    .map(({ id, properties, systemFeatureProperties }) => [
      id,
      [
        ...systemFeatureProperties.map((each) => ({ id: each.id, type: 'boolean', value: true }) as const),
        ...properties.map((each) => ({ id: each.id, type: each.type, value: each.value })),
      ],
    ]);
  await setPlanValues(workspace, plan, Object.fromEntries(entries) as PlanProperties);
}

/** @returns a secret key of the first one */
async function makeEnvironments(workspace: Workspace): Promise<string> {
  const { session, orgId } = workspace;
  const params = { orgId };
  const versions = await session.call(artifactEndpoints.list, { params });
  let secretKey = '';
  await inTurn(MAX_ENVIRONMENTS - 1, async (index) => {
    const { id: envId } = await session.call(environmentEndpoints.create, {
      params,
      body: {
        name:
          NAMES[index] ??
          `Customer cell ${String(index - NAMES.length + 1).padStart(2, '0')} of the north-west region`,
        type: index % 4 === 0 ? 'live' : 'test',
        description: index % 2 === 0 ? 'Where these customers work.' : undefined,
        url: index % 3 === 0 ? `https://cell-${index}.northwind.example/console` : undefined,
      },
    });
    const version = versions[Math.min(index % 6, versions.length - 1)];
    if (version !== undefined && index % 5 !== 4) {
      await session.call(deploymentEndpoints.deploy, {
        params: { orgId, envId },
        body: { artifactId: version.artifactId },
      });
    }
    if (index > 0) return;
    for (const type of ['secret', 'secret', 'secret', 'secret', 'secret', 'public', 'public'] as const) {
      const key = await createKey(workspace, envId, type);
      if (type === 'secret') secretKey = key;
    }
  });
  return secretKey;
}

const NAMES = ['Production', 'Staging', 'Acceptance', 'Load test', 'Sandbox'];

async function makePeople({ session, orgId }: Workspace<ApiSession>, baseUrl: string): Promise<void> {
  const invite = async (email: string, role: string): Promise<{ id: string }> => {
    const body = { email, role, organizationId: orgId };
    return readAnswer(await session.send('POST', '/api/auth/organization/invite-member', body), 'POST');
  };
  const people: Account[] = [
    MEMBER,
    ...Array.from({ length: MEMBERS }, (_, index) => ({
      email: `colleague.number.${index + 1}@department-of-research.northwind.example`,
      password: MEMBER.password,
      name: `Colleague ${index + 1}`,
    })),
  ];
  for (const [index, person] of people.entries()) {
    const { id: invitationId } = await invite(person.email, index % 4 === 1 ? 'admin' : 'member');
    const joining = await signInAs(baseUrl, person);
    await readAnswer(
      await joining.send('POST', '/api/auth/organization/accept-invitation', { invitationId }),
      'POST',
    );
  }
  await inTurn(INVITATIONS, async (index) => {
    const { id: invitationId } = await invite(
      `guest.${index + 1}@partner.example`,
      index % 9 === 0 ? 'admin' : 'member',
    );
    if (index % 7 !== 0) return;
    await session.send('POST', '/api/auth/organization/cancel-invitation', {
      invitationId,
      organizationId: orgId,
    });
  });
}

async function inTurn(count: number, make: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < count; index += 1) await make(index);
}
