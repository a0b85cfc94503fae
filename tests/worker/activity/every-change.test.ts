// Every endpoint that changes something leaves a row in the activity. New endpoints are covered automatically: one that is neither
// called here nor listed as changing nothing fails the last test.

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { AuditSubject, activityEndpoints, FieldChange } from '#contracts/console/activity';
import { apiKeyEndpoints } from '#contracts/console/api-keys';
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { billingEndpoints } from '#contracts/console/billing';
import { customerBalanceEndpoints } from '#contracts/console/customer-balances';
import { customerMemberEndpoints } from '#contracts/console/customer-members';
import { customerEndpoints } from '#contracts/console/customers';
import { type Environment, environmentEndpoints } from '#contracts/console/environments';
import { featureEndpoints } from '#contracts/console/features';
import { impactEndpoints } from '#contracts/console/impact';
import { jwtIntegrationEndpoints } from '#contracts/console/integrations';
import { organisationDeletionEndpoints } from '#contracts/console/organisation-deletion';
import { organisationEndpoints } from '#contracts/console/organisations';
import { planEndpoints } from '#contracts/console/plans';
import { stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { sudoEndpoints } from '#contracts/console/sudo';
import { supportAccessEndpoints } from '#contracts/console/support-access';
import { teamEndpoints } from '#contracts/console/team';
import { templateEndpoints } from '#contracts/console/templates';
import { topUpEndpoints } from '#contracts/console/top-ups';
import { type Delivery, webhookEndpoints } from '#contracts/console/webhooks';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { workflowEndpoints } from '#contracts/console/workflows';
import { provisioningEndpoints } from '#contracts/public/customers';
import type { AnswerOf, Change, Endpoint } from '#contracts/public/endpoint';
import { LOCATIONS } from '#contracts/public/locations';
import { accountOf } from '#engine/ledger/account';
import { newSigner } from '#lab/fixtures/tokens';
import {
  anonymously,
  type Call,
  newMember,
  newOrganisation,
  newStaff,
  PASSWORD,
  type SignedIn,
  signedIn,
  withCookie,
} from '#tests/support/accounts';
import { openCheckout, pay } from '#tests/support/billing';
import { endpoints } from '#tests/support/endpoints';
import { storeAs } from '#tests/support/former-customers';
import { ledgerOf, type PayingTenant, payingTenant } from '#tests/support/paying-tenants';
import { newStripeAccount } from '#tests/support/stripe';
import { publishAll } from '#tests/support/tenants';
import { workflowInput } from '#tests/support/workflows';
import { openDatabase } from '#worker/db/database';
import { deadLetter } from '#worker/db/schema/operations';

/** What other calls than GET change nothing of an organisation, or something that its log does not name, and why. */
const UNLOGGED: Readonly<Record<string, string>> = {
  'accessEndpoints.check': 'a check is an event',
  'accessEndpoints.checkMany': 'checks are events',
  'ofrepEndpoints.evaluate': 'a check is an event',
  'ofrepEndpoints.evaluateAll': 'a check is an event',
  'meteringEndpoints.update': 'a counter update is an event',
  'meteringEndpoints.updateMany': 'counter updates are events',
  'holdEndpoints.open': 'a hold is an event',
  'holdEndpoints.extend': 'an extension is an event',
  'holdEndpoints.settle': 'a settlement is an event',
  'salesEndpoints.openCheckout': 'a page of Stripe; what is bought there is logged with Stripe as the author',
  'salesEndpoints.openPortal': 'a page of Stripe; what is changed there is logged with Stripe as the author',
  'customerEndpoints.testCheck': 'records and counts nothing',
  'testAccessEndpoints.test': 'records and counts nothing',
  'impactEndpoints.readPlan': 'compares unsaved values and changes nothing',
  'watchSessionEndpoints.create': 'a view of events ends with its connection',
  'workflowRunEndpoints.run': 'a trial run changes nothing',
  'workflowTestEndpoints.run': 'results of tests follow from code that is logged',
  'workflowTestEndpoints.runOnVersion': 'results of tests follow from code that is logged',
  'organisationDeletionEndpoints.mailLink': 'a link to confirm with; the request is logged',
  'billingEndpoints.webhook':
    'stores what Stripe sent; what follows from it is logged with Stripe as the author',
};

const WORKSPACE: readonly Change[] = ['plans', 'workspace'];

/** What the console reads again after an action about the subject: each endpoint's record `changes` at least these. */
const READ_AGAIN: Readonly<Record<AuditSubject, readonly Change[]>> = {
  'api-key': ['api-keys'],
  billing: ['billing'],
  customer: ['customers'],
  environment: ['environments', 'deployments'],
  feature: ['features', ...WORKSPACE],
  integration: ['webhooks'],
  invitation: ['team'],
  'jwt-integration': ['jwt-integrations'],
  member: ['team'],
  organisation: ['organisation'],
  plan: WORKSPACE,
  property: ['features', ...WORKSPACE],
  'stripe-integration': ['stripe-integrations'],
  sudo: [], // What staff do is of many kinds, and the pages of staff are their own.
  'support-access': ['everything'],
  version: ['workspace'],
  workflow: ['workflows', 'workspace'],
  'workflow-test': ['workflows'],
};

const named = new Map(
  endpoints.flatMap(({ endpoint, name }) => (endpoint.method === 'GET' ? [] : [[endpoint, name] as const])),
);
const called = new Set<string>();

let own: PayingTenant;
let owner: SignedIn;
let staff: SignedIn;
let orgId: string;

beforeAll(async () => {
  own = await payingTenant();
  owner = own.tenant.user;
  orgId = own.tenant.orgId;
  staff = await newStaff('Grace Staff');
});

const ENTITY = 'user_7';

/** As if something had been counted for one of the customer's entities. */
async function storeEntity(customer: string): Promise<void> {
  await runInDurableObject(await ledgerOf(own, customer), (_, { storage: { sql } }) => {
    sql.exec('INSERT INTO customer (identifier) VALUES (?)', accountOf(customer, ENTITY));
  });
}

const countRows = async () =>
  (await env.DB.prepare('SELECT count(*) AS total FROM audit_log').first<{ total: number }>())?.total ?? 0;

/** The actions of the rows after the first ones. */
async function actionsAfter(before: number): Promise<string[]> {
  const rows = env.DB.prepare('SELECT action FROM audit_log ORDER BY rowid LIMIT -1 OFFSET ?').bind(before);
  return (await rows.all<{ action: string }>()).results.map(({ action }) => action);
}

/** Calls an endpoint, and expects at least one row more, of what the endpoint's record `changes`. */
async function log<Answer = { id: string }>(
  endpoint: Endpoint,
  {
    params = {},
    body,
    by = owner.fetch,
  }: { params?: Record<string, string>; body?: unknown; by?: Call } = {},
): Promise<Answer> {
  const before = await countRows();
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent({ orgId, ...params }[name] ?? ''),
  );
  const answer = await by(path, { method: endpoint.method, ...(body === undefined ? {} : { json: body }) });
  const text = await answer.text();
  expect(answer.ok, `${endpoint.method} ${path}: ${text}`).toBe(true);
  const actions = await actionsAfter(before);
  expect(actions, `${endpoint.method} ${path}`).not.toEqual([]);
  const { changes } = endpoint;
  // Nothing of a new organisation was read before.
  if (changes !== undefined && !changes.includes('everything') && endpoint !== organisationEndpoints.create) {
    const needed = actions.flatMap((action) => READ_AGAIN[action.split('.')[0] as AuditSubject]);
    const said = [...changes, ...(changes.includes('workspace') ? READ_AGAIN.environment : [])];
    expect(said, `${endpoint.method} ${path}: ${actions.join()}`).toEqual(expect.arrayContaining(needed));
  }
  called.add(named.get(endpoint) ?? '');
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

test('features and properties', async () => {
  const { id: featureId } = await log(featureEndpoints.create, {
    body: { name: 'Exports', slug: 'exports' },
  });
  await log(featureEndpoints.update, { params: { featureId }, body: { name: 'Data exports' } });
  const property = { name: 'Formats', propertyKey: 'formats', type: 'string', value: 'csv' };
  const { id: propertyId } = await log(featureEndpoints.createProperty, {
    params: { featureId },
    body: property,
  });
  const params = { featureId, propertyId };
  await log(featureEndpoints.updateProperty, { params, body: { value: 'csv, json' } });
  const feature = await own.tenant.make<{ systemFeatureProperties: { id: string }[] }>(
    'GET',
    `/features/${featureId}`,
  );
  const system = { featureId, propertyId: feature.systemFeatureProperties[0]?.id ?? '' };
  await log(featureEndpoints.updateSystemProperty, { params: system, body: { value: true } });
  await log(featureEndpoints.removeProperty, { params });
  await log(featureEndpoints.remove, { params: { featureId } });
});

test('plans', async () => {
  const { planId } = await log<{ planId: string }>(planEndpoints.create, {
    body: { name: 'Team', slug: 'team' },
  });
  await log(planEndpoints.update, { params: { planId }, body: { description: 'For teams' } });
  const features = await own.tenant.make<{ id: string }[]>('GET', '/features');
  const values = [{ id: own.seats.id, type: 'number', value: 4 }];
  const version = { properties: { [features[0]?.id ?? '']: values } };
  await log(planEndpoints.updateVersion, { params: { planId, version: '1' }, body: version });
  const product = { integrationId: own.testAccount, productId: 'prod_pro' };
  await log(planEndpoints.updateProducts, {
    params: { planId },
    body: { addProducts: [{ ...product, version: 2 }] },
  });
  await log(planEndpoints.removeProduct, { params: { planId, ...product } });
  await log(planEndpoints.remove, { params: { planId } });
});

test('workflows and their tests', async () => {
  const { id: workflowId } = await log(workflowEndpoints.create, {
    body: { name: 'Pilots', type: 'dynamic-provisioning' },
  });
  const code = 'export default () => ({});';
  await log(workflowEndpoints.update, { params: { workflowId }, body: { source: code, compiled: code } });
  const body = { name: 'Nobody has a plan', input: workflowInput(), seed: 'a', expected: {} };
  const { id: testId } = await log(workflowTestEndpoints.add, { params: { workflowId }, body });
  await log(workflowTestEndpoints.remove, { params: { workflowId, testId } });
  await env.DB.prepare(
    'INSERT INTO workflow_disablement (org_id, environment_id, workflow_id, reason, disabled_at, retry_at) VALUES (?, ?, ?, ?, 1, 1)',
  )
    .bind(orgId, own.previewId, workflowId, 'cpu')
    .run();
  await log(workflowEndpoints.enable, { params: { workflowId, environmentId: own.previewId } });
  await log(workflowEndpoints.remove, { params: { workflowId } });
});

test('environments, keys, versions and deployments', async () => {
  const { id: environmentId } = await log(environmentEndpoints.create, {
    body: { name: 'Staging', type: 'test' },
  });
  await log(environmentEndpoints.update, {
    params: { environmentId },
    body: { description: 'Before production' },
  });
  const { id: keyId } = await log(apiKeyEndpoints.create, { body: { environmentId, type: 'secret' } });
  await log(apiKeyEndpoints.update, { params: { keyId }, body: { name: 'Server' } });
  await log(apiKeyEndpoints.remove, { params: { keyId } });
  await own.tenant.make('POST', '/features', { name: 'Reports', slug: 'reports' });
  const { id: artifactId } = await log(artifactEndpoints.create, { body: { note: 'Reports' } });
  await log(deploymentEndpoints.deploy, { params: { envId: environmentId }, body: { artifactId } });
  await log(environmentEndpoints.remove, { params: { environmentId } });
  await log(artifactEndpoints.remove, { params: { artifactId } });
});

test('values that customers would lose by a version', async () => {
  const [shop] = (await own.tenant.make<Environment[]>('GET', '/environments')).filter(
    ({ type }) => type === 'live',
  );
  await own.grant('keeps@tests.example');
  const [feature] = await own.tenant.make<[{ id: string }]>('GET', '/features');
  const seats = [{ id: own.seats.id, type: 'number', value: 50 }];
  await own.tenant.make('PUT', `/plans/${own.proId}/versions/2`, { properties: { [feature.id]: seats } });
  const { artifactId } = await own.tenant.make<{ artifactId: string }>('POST', '/artifacts');
  const params = { envId: shop?.id ?? '' };
  await log(impactEndpoints.keep, { params, body: { toArtifactId: artifactId, days: 1 } });
});

test('customers, in the console', async () => {
  const why = { reason: 'A pilot customer', environmentId: null, until: null };
  const identifier = 'ada@tests.example';
  const { id: grantId } = await log(customerEndpoints.grantPlan, {
    params: { identifier },
    body: { ...why, planId: own.proId },
  });
  await log(customerEndpoints.revokePlan, { params: { identifier, grantId } });
  const override = { ...why, propertyId: own.seats.id, value: 7 };
  const { id: overrideId } = await log(customerEndpoints.overrideProperty, {
    params: { identifier },
    body: override,
  });
  await log(customerEndpoints.removeOverride, { params: { identifier, overrideId } });
  const { environmentId: _, until: __, ...reason } = { ...why };
  const correction = {
    ...reason,
    environmentId: own.previewId,
    propertyId: own.files.id,
    by: 3,
    idempotencyKey: 'once',
  };
  await log(customerEndpoints.correctMeter, { params: { identifier }, body: correction });
  await storeEntity(identifier);
  await log(customerMemberEndpoints.remove, {
    params: { identifier, environmentId: own.previewId, entityId: ENTITY },
  });
  const given = { ...reason, environmentId: own.previewId, propertyId: own.files.id };
  const { id: balanceId } = await log(customerBalanceEndpoints.give, {
    params: { identifier },
    body: { ...given, amount: 10, category: 'paid' },
  });
  const seen = async () => {
    const path = own.path(identifier, `/environments/${own.previewId}/balances`);
    const { balances } = await own.tenant.make<{ balances: { updatedAt: number }[] }>('GET', path);
    return { updatedAt: balances[0]?.updatedAt };
  };
  await log(customerBalanceEndpoints.change, {
    params: { identifier, balanceId },
    body: { ...(await seen()), priority: 10 },
  });
  await log(customerBalanceEndpoints.takeBack, {
    params: { identifier, balanceId },
    body: { ...reason, ...(await seen()), environmentId: own.previewId, amount: 4 },
  });
  await own.grant('shared@tests.example');
  const { id: customerId } = await own.someone([], { email: 'shared@tests.example' });
  const link = { integrationId: own.testAccount, customerId };
  await log(customerEndpoints.linkEmail, { params: { identifier: 'shared@tests.example' }, body: link });
  const former = 'moved@tests.example ';
  await storeAs({ orgId }, former, { planIds: [own.proId] });
  await log(customerEndpoints.move, { params: { identifier: former }, body: { to: former.trim() } });
});

test('customers, by an API key', async () => {
  const { value } = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    environmentId: own.previewId,
    type: 'secret',
    managesCustomers: true,
  });
  await publishAll(own.tenant);
  const by: Call = (path, init) =>
    anonymously(path, { ...init, headers: { authorization: `Bearer ${value}` } });
  const of = { customer: 'grace@tests.example' };
  const [feature, property] = ['workspaces', 'seats'];
  const reason = 'A pilot customer';
  await log(provisioningEndpoints.save, { by, params: of, body: { name: 'Grace Hopper' } });
  const { id: customerId } = await own.someone([]);
  const source = { integrationId: own.testAccount, customerId };
  const joined = { environmentId: own.previewId, ...source };
  await log(customerEndpoints.join, { params: { identifier: of.customer }, body: joined });
  await log(customerEndpoints.separate, {
    params: {
      identifier: of.customer,
      environmentId: own.previewId,
      integrationId: own.testAccount,
      customerId,
    },
  });
  await log(provisioningEndpoints.setGrant, { by, params: { ...of, plan: 'pro' }, body: { reason } });
  await log(provisioningEndpoints.removeGrant, { by, params: { ...of, plan: 'pro' } });
  await log(provisioningEndpoints.setOverride, {
    by,
    params: { ...of, feature, property },
    body: { reason, value: 9 },
  });
  await log(provisioningEndpoints.removeOverride, { by, params: { ...of, feature, property } });
  const files = { feature, property: 'files' };
  await log(provisioningEndpoints.setBalance, {
    by,
    params: { ...of, balance: 'inv-1' },
    body: { reason, ...files, amount: 5, category: 'paid' },
  });
  await log(provisioningEndpoints.takeBack, {
    by,
    params: { ...of, balance: 'inv-1' },
    body: { reason, amount: 2 },
  });
  await log(provisioningEndpoints.correctMeter, {
    by,
    params: of,
    body: { reason, feature, property: 'files', by: 2 },
  });
  await storeEntity(of.customer);
  await log(provisioningEndpoints.deleteEntity, { by, params: { ...of, entity: ENTITY } });
  const changes = [{ change: 'save-customer', customer: 'joan@tests.example', name: 'Joan Clarke' }];
  await log(provisioningEndpoints.changeMany, { by, body: { changes } });
});

test('webhooks', async () => {
  const url = 'https://hooks.tests.invalid/';
  const { id } = await log(webhookEndpoints.create, { body: { url } });
  const params = { webhookId: id };
  await log(webhookEndpoints.update, { params, body: { description: 'Our mailer' } });
  await log(webhookEndpoints.rotate, { params });
  const { eventId } = await log<Delivery>(webhookEndpoints.test, { params });
  await log(webhookEndpoints.resendFailed, { params });
  await log(webhookEndpoints.resend, { params: { ...params, eventId } });
  await log(webhookEndpoints.remove, { params });
});

test('integrations', async () => {
  const { pem } = await newSigner();
  const jwt = { name: 'Identity', publicKey: pem, claimKey: 'email', claimIndex: 'email' };
  const { id: integrationId } = await log(jwtIntegrationEndpoints.create, { body: jwt });
  await log(jwtIntegrationEndpoints.update, {
    params: { integrationId },
    body: { name: 'Identity provider' },
  });
  await log(jwtIntegrationEndpoints.remove, { params: { integrationId } });
  const account = await newStripeAccount();
  const { secretKey } = account.keys;
  const { id } = await log(stripeIntegrationEndpoints.create, { body: { secretKey } });
  const params = { integrationId: id };
  await log(stripeIntegrationEndpoints.update, { params, body: { name: 'Our shop' } });
  await log(stripeIntegrationEndpoints.addWebhook, { params, body: { mode: 'automatic' } });
  await log(stripeIntegrationEndpoints.startSync, { params, body: { type: 'stripe-product' } });
  const { id: productId, default_price } = await account.stripe.products.create({
    name: 'Credits',
    default_price_data: { currency: 'eur', unit_amount: 2000 },
  });
  const price = { ...params, priceId: String(default_price) };
  const given = { propertyId: own.files.id, amount: 5, category: 'paid', priority: 50, lastsMonths: null };
  await log(topUpEndpoints.set, { params: price, body: { productId, ...given } });
  await log(topUpEndpoints.remove, { params: price });
  await log(stripeIntegrationEndpoints.remove, { params });
});

test('templates', async () => {
  const another = await signedIn();
  const { orgId: empty } = await newOrganisation(another);
  const body = { template: 'seats' };
  await log(templateEndpoints.apply, { params: { orgId: empty }, body, by: another.fetch });
});

test('the organisation and its members', async () => {
  await log(organisationEndpoints.create, { body: { name: 'Another one' } });
  await log(organisationEndpoints.update, { body: { description: 'Engines' } });
  await log(organisationEndpoints.updateQuickstart, { body: { quickstartStatus: 'dismissed' } });
  const locations = Object.fromEntries(LOCATIONS.map((location) => [location, location !== 'afr']));
  await log(organisationEndpoints.updateDataLocations, { body: { locations } });

  const invitee = await signedIn('Invited Person');
  const invite = () =>
    log(teamEndpoints.invite, { body: { organizationId: orgId, email: invitee.email, role: 'member' } });
  const by = withCookie(invitee.cookie);
  await log(teamEndpoints.cancelInvitation, { body: { invitationId: (await invite()).id } });
  const { id: invitationId } = await invite();
  await log(teamEndpoints.rejectInvitation, { by, body: { invitationId } });
  await log(teamEndpoints.clearInvitation, { params: { invitationId } });
  await log(teamEndpoints.acceptInvitation, { by, body: { invitationId: (await invite()).id } });
  const team = await own.tenant.make<{ id: string; userId: string | null }[]>('GET', '/team-summary');
  const memberId = team.find(({ userId }) => userId === invitee.userId)?.id ?? '';
  await log(teamEndpoints.updateMemberRole, { body: { organizationId: orgId, memberId, role: 'admin' } });
  await log(teamEndpoints.removeMember, { body: { organizationId: orgId, memberIdOrEmail: invitee.email } });
});

test('billing, support and platform staff', async () => {
  await log(supportAccessEndpoints.request, { by: staff.fetch, body: { reason: 'A ticket about limits' } });
  await log(supportAccessEndpoints.grant, { body: { hours: 4 } });
  await log(sudoEndpoints.updateOrganisation, { by: staff.fetch, body: { plan: 'grow' } });
  await log(sudoEndpoints.updateOrganisation, { by: staff.fetch, body: { plan: 'build' } });
  await log(sudoEndpoints.clearUsageBlocks, { by: staff.fetch });
  await log(sudoEndpoints.publishBillableUsage, { by: staff.fetch });
  await log(sudoEndpoints.publishPreview, { by: staff.fetch });
  await log(sudoEndpoints.updateEnvironmentVariants, { by: staff.fetch });
  await log(sudoEndpoints.rebuildLogIndex, { by: staff.fetch });
  await log(sudoEndpoints.publishStripeLookups, { by: staff.fetch });
  await log(supportAccessEndpoints.changeReading, { body: { needsConsent: true } });
  await log(supportAccessEndpoints.end);
  const member = await newMember(owner, orgId);
  await log(sudoEndpoints.updateUser, {
    by: staff.fetch,
    params: { userId: member.userId },
    body: { name: 'Renamed' },
  });
  const dead = { queue: 'tessera-publish-dead', attempts: 1, diedAt: 1 };
  await openDatabase(env.DB)
    .insert(deadLetter)
    .values(
      ['dead_1', 'dead_2', 'dead_3'].map((id) => ({
        ...dead,
        id,
        body: { type: 'workspace.changed', outboxId: id, orgId },
      })),
    );
  await log(sudoEndpoints.retryDeadLetter, { by: staff.fetch, params: { deadLetterId: 'dead_1' } });
  await log(sudoEndpoints.discardDeadLetter, { by: staff.fetch, params: { deadLetterId: 'dead_2' } });
  await log(sudoEndpoints.followRestoredDatabase, { by: staff.fetch });
  await log(sudoEndpoints.retryDeadLetters, { by: staff.fetch, body: { queue: 'tessera-publish-dead' } });

  await log(billingEndpoints.checkout, { body: { plan: 'grow' } });
  const { url, sessionId } = await openCheckout(own.tenant);
  await pay(url);
  await log(billingEndpoints.fulfil, { by: anonymously, body: { sessionId } });
  await log(billingEndpoints.portal);
});

test('the deletion of the organisation', async () => {
  await log(organisationDeletionEndpoints.request, {
    body: { name: 'Analytical Engines', password: PASSWORD },
  });
  await log(organisationDeletionEndpoints.cancel);
});

/** Fields of a detail that are ids of objects, besides those of changed properties. */
const REFERENCES = ['planId', 'propertyId', 'environmentId', 'featureId', 'workflowId', 'fromArtifactId'];
/** The organisation itself, its subscription, and its support access need no name. */
const OWN_KINDS = ['organisation', 'billing', 'support'];

test('whatever a row is about has a name, also once it is gone', async () => {
  const { id: nameless } = await own.tenant.make<{ id: string; maskedValue: string }>('POST', '/api-keys', {
    environmentId: own.previewId,
    type: 'secret',
  });
  await own.tenant.make('GET', `/api-keys/${nameless}`);
  await own.tenant.make('DELETE', `/api-keys/${nameless}`);
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page: AnswerOf<typeof activityEndpoints.list> = await own.tenant.make('GET', `/activity${query}`);
    for (const { action, kind, targetId, actor, detail } of page.items) {
      seen.add(action);
      const changes = (detail.changes ?? []) as readonly FieldChange[];
      const ids = [
        ...(OWN_KINDS.includes(kind) || kind === 'customer' ? [] : [targetId]),
        ...REFERENCES.map((field) => detail[field]),
        ...(action === 'plan.version-created' ? changes.map(({ field }) => field) : []),
      ].filter((id) => typeof id === 'string');
      // A test of a workflow is named in the row itself.
      const unnamed = ids.filter((id) => !page.names[id] && typeof detail.name !== 'string');
      expect({ action, unnamed }).toEqual({ action, unnamed: [] });
      if (actor.kind === 'key') expect(actor.name, action).toBeTruthy();
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect([...seen]).toEqual(expect.arrayContaining(['api-key.revealed', 'api-key.revoked', 'plan.deleted']));
});

test('no other endpoint changes an organisation', () => {
  const expected = [...named.values()].filter((name) => !(name in UNLOGGED));
  expect([...called].sort()).toEqual(expected.sort());
});
