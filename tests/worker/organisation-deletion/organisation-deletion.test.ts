// Deleting an organisation: who may, what happens meanwhile, and that nothing is left of it, nor anything of others lost.
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { organisationSummarySchema } from '#contracts/console/organisations';
import { groupsOf, someEvents } from '#lab/fixtures/recorded-events';
import { eventStreamStub } from '#objects/stubs';
import { check, refusal } from '#tests/support/access-checks';
import {
  grantSupportAccess,
  mailsTo,
  newMember,
  newOrganisation,
  newStaff,
  PASSWORD,
  signIn,
  tokenMailedTo,
} from '#tests/support/accounts';
import { putBalances } from '#tests/support/balances';
import { subscribe } from '#tests/support/billing';
import { update } from '#tests/support/counter-updates';
import { type CustomerTenant, customerTenant } from '#tests/support/customers';
import { eventually } from '#tests/support/eventually';
import { expectConsole } from '#tests/support/expect-console';
import {
  archivedOf,
  deletionRow,
  failingOnce,
  makeDue,
  NAME,
  requestDeletion,
  rowsWith,
  runOnce,
  runToTheEnd,
  storedInObjects,
} from '#tests/support/organisation-deletion';
import { platformStripeAccount } from '#tests/support/stripe';
import { connectedTenant } from '#tests/support/stripe-integrations';
import { newTenant, outboxMessages, type Tenant, tenantOf } from '#tests/support/tenants';
import { openLiveView } from '#tests/support/watch';

const WEEK_MS = 7 * 24 * 60 * 60_000;

type Summary = z.infer<typeof organisationSummarySchema>;

const summaryOf = (tenant: Tenant) => tenant.make<Summary>('GET', '/summary');

/** A tenant with something in every store. */
async function usedTenant(): Promise<CustomerTenant> {
  const used = await customerTenant();
  const { tenant, previewId, secret, seats } = used;
  await used.grant('bob@example.com');
  await putBalances(used, 'bob@example.com', {});
  await used.override('bob@example.com', seats.id, 7);
  await tenant.make('POST', '/artifacts', {});
  const shop = await tenant.make('POST', '/environments', { name: 'Shop', type: 'live' });
  await tenant.make('DELETE', `/environments/${shop.id}`);
  await used.grant('bob@example.com', { planId: used.proId, environmentId: previewId });
  const files = { userIdentifier: 'bob@example.com', feature: 'workspaces', property: 'files', by: 3 };
  expect((await update(secret, files)).status).toBe(200);
  expect((await check(secret, { userIdentifier: 'bob@example.com' })).status).toBe('success');
  const stream = await eventStreamStub(env, tenant.orgId, 'weur');
  await stream.appendGroups({
    orgId: tenant.orgId,
    groups: groupsOf(someEvents(5, () => ({ envId: previewId }))),
  });
  await Promise.all(
    [
      `events/${tenant.orgId}/2026-01-01/000000001.ndjson.gz`,
      `audit/${tenant.orgId}/2026-01-01/aud_1.jsonl.gz`,
      `audit/${tenant.orgId}/2026-01-02/aud_2.jsonl.gz`,
      `dead-letters/${tenant.orgId}/dead_1.json`,
    ].map((key) => env.EVENT_ARCHIVE.put(key, 'archived')),
  );
  return used;
}

test('an owner schedules it with the name and the password; everything works until it is due', async () => {
  const tenant = await newTenant();
  const { value } = await tenant.key(await tenant.previewId());
  const before = Date.now();
  const requested = await requestDeletion(tenant);
  expect(requested.status).toBe(202);
  expect(requested.body.dueAt).toBeGreaterThanOrEqual(before + WEEK_MS);
  expect(await summaryOf(tenant)).toMatchObject({
    deletion: { dueAt: requested.body.dueAt, requestedByUserId: tenant.user.userId },
  });
  await runOnce();
  expect((await check(value)).status).toBe('success');
  await tenant.make('POST', '/features', { name: 'Still editable', slug: 'still-editable' });

  // A second request changes nothing, and mails nobody.
  const again = await requestDeletion(tenant);
  expect(again.body).toEqual(requested.body);
  await eventually(async () => expect(await outboxMessages(tenant.orgId)).toEqual([]));
  const mails = (await mailsTo(tenant.user.email)).filter(({ subject }) =>
    subject.includes('will be deleted on'),
  );
  expect(mails).toHaveLength(1);
});

test.each([
  ['another name', { name: 'Analytical' }, 'name'],
  ['no name', { name: undefined }, 'name'],
  ['a name of the wrong type', { name: 7 }, 'name'],
  ['a huge name', { name: 'x'.repeat(10_000) }, 'name'],
  ['a wrong password', { password: 'wrong horse' }, 'password'],
  ['no password', { password: undefined }, 'password'],
  ['an unknown token', { password: undefined, token: 'unknown' }, 'token'],
])('%s is refused, and names the field', async (_, body, path) => {
  const tenant = await newTenant();
  const refused = await tenant.call('POST', '/deletion', { name: NAME, password: PASSWORD, ...body });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ issues: [{ path }] });
  expect(await deletionRow(tenant)).toBeNull();
});

test('wrong passwords are limited per account', async () => {
  const tenant = await newTenant();
  for (let attempt = 0; attempt < 10; attempt++) await requestDeletion(tenant, { password: 'wrong horse' });
  const refused = await requestDeletion(tenant);
  expect(refused.status).toBe(429);
  expect(await deletionRow(tenant)).toBeNull();
});

test('a mailed link replaces the password, once, for its owner and organisation', async () => {
  const tenant = await newTenant();
  const other = tenantOf(tenant.user, (await newOrganisation(tenant.user)).orgId);
  const link = await tenant.call('POST', '/deletion/link');
  expect(link.status).toBe(204);
  const token = await tokenMailedTo(tenant.user.email);
  expect((await requestDeletion(other, { password: undefined, token })).status).toBe(400);
  expect((await requestDeletion(tenant, { password: undefined, token })).status).toBe(202);
  await tenant.make('DELETE', '/deletion');
  expect((await requestDeletion(tenant, { password: undefined, token })).status).toBe(400);
  expect(await deletionRow(tenant)).toBeNull();
});

test('only owners schedule, cancel and get links: not admins, members, staff with consent or other tenants', async () => {
  const tenant = await newTenant();
  const staff = await newStaff();
  await grantSupportAccess(tenant.user, tenant.orgId);
  const callers = [
    { account: await newMember(tenant.user, tenant.orgId, 'admin'), status: 403 },
    { account: await newMember(tenant.user, tenant.orgId, 'member'), status: 403 },
    { account: staff, status: 403 },
    { account: (await newTenant()).user, status: 404 },
  ];
  const attempts = async () => {
    for (const { account, status } of callers) {
      const theirs = tenantOf(account, tenant.orgId);
      expect((await requestDeletion(theirs)).status).toBe(status);
      expect((await theirs.call('POST', '/deletion/link')).status).toBe(status);
      expect((await theirs.call('DELETE', '/deletion')).status).toBe(status);
    }
  };
  await attempts();
  expect(await deletionRow(tenant)).toBeNull();
  await requestDeletion(tenant);
  await attempts();
  expect(await deletionRow(tenant)).not.toBeNull();
});

test('any owner cancels it, and all owners get mails', async () => {
  const tenant = await newTenant();
  const second = await newMember(tenant.user, tenant.orgId, 'owner');
  await requestDeletion(tenant);
  expect((await tenantOf(second, tenant.orgId).call('DELETE', '/deletion')).status).toBe(204);
  expect((await summaryOf(tenant)).deletion).toBeNull();
  expect((await tenant.call('DELETE', '/deletion')).status).toBe(204);
  for (const { email } of [tenant.user, second]) {
    await eventually(async () => {
      const subjects = (await mailsTo(email)).map(({ subject }) => subject);
      expect(subjects).toContainEqual(`${NAME} will not be deleted`);
      expect(subjects).toContainEqual(expect.stringContaining(`${NAME} will be deleted on`));
    });
  }
  await makeDue(tenant);
  await runOnce();
  expect((await tenant.call('GET', '/summary')).status).toBe(200);
});

test('of concurrent requests one schedules it, and of a cancellation and a start one happens', async () => {
  const tenant = await newTenant();
  const requests = await Promise.all([1, 2, 3].map(() => requestDeletion(tenant)));
  expect(new Set(requests.map(({ body }) => body.dueAt)).size).toBe(1);
  const trail = await env.DB.prepare(
    "SELECT count(*) AS total FROM audit_log WHERE org_id = ? AND action = 'organisation.deletion-scheduled'",
  )
    .bind(tenant.orgId)
    .first('total');
  expect(trail).toBe(1);

  await makeDue(tenant);
  const [canceled] = await Promise.all([tenant.call('DELETE', '/deletion'), runOnce(), runOnce()]);
  const row = await deletionRow(tenant);
  expect([204, 404]).toContain(canceled.status);
  expect(row === null).toBe(canceled.status === 204);
});

test('when it is due, keys are refused and nobody is a member; nothing is left of it, and nothing of others is lost', async () => {
  const [gone, other] = [await usedTenant(), await usedTenant()];
  const goneStripe = await connectedTenant({ tenant: gone.tenant });
  await goneStripe.account.stripe.customers.create({ name: 'Bob', email: 'bob@example.com' });
  await goneStripe.sync();
  const owner = gone.tenant.user;
  const admin = await newMember(owner, gone.tenant.orgId, 'admin');
  await newMember(other.tenant.user, other.tenant.orgId, 'admin');
  await eventually(async () => expect(await outboxMessages(other.tenant.orgId)).toEqual([]));
  const otherRows = await rowsWith([other.tenant.orgId]);
  const otherArchived = await archivedOf(other.tenant);

  await requestDeletion(gone.tenant);
  await makeDue(gone.tenant);
  await runOnce();
  await eventually(async () => {
    const { status } = await refusal(gone.secret, { body: {} });
    expect(status).toBe(401);
  });
  expect((await gone.tenant.call('GET', '/summary')).status).toBe(404);
  expect(await (await owner.fetch('/api/user/orgs')).json()).toEqual([]);
  expect((await gone.tenant.call('DELETE', '/deletion')).status).toBe(404);
  expect((await tenantOf(admin, gone.tenant.orgId).call('GET', '/features')).status).toBe(404);

  await runToTheEnd(gone.tenant);
  expect((await goneStripe.account.stripe.webhookEndpoints.list()).data).toEqual([]);
  await eventually(async () => {
    const { audit_log: audit, ...rest } = await rowsWith([
      gone.tenant.orgId,
      gone.previewId,
      goneStripe.integration.id,
    ]);
    expect(rest).toEqual({});
    expect(audit).toMatchObject([
      {
        org_id: null,
        action: 'organisation.deleted',
        target_id: gone.tenant.orgId,
        actor_user_id: owner.userId,
      },
    ]);
  });
  expect(await archivedOf(gone.tenant)).toEqual([]);
  expect(await storedInObjects(gone.tenant, [gone.previewId])).toEqual(['stream.setting']);
  await eventually(async () =>
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toContain(`${NAME} has been deleted`),
  );

  expect(await rowsWith([other.tenant.orgId])).toEqual(otherRows);
  expect(await archivedOf(other.tenant)).toEqual(otherArchived);
  const answer = await check(other.secret, { userIdentifier: 'bob@example.com' });
  expect(answer.features.workspaces?.properties).toMatchObject({ seats: 7, files: { used: 3 } });

  // What an isolate or a queue still had is dropped.
  const stream = await eventStreamStub(env, gone.tenant.orgId, 'weur');
  expect(
    await stream.appendGroups({ orgId: gone.tenant.orgId, groups: groupsOf(someEvents(3)) }),
  ).toMatchObject({
    added: 0,
  });
  expect(await storedInObjects(gone.tenant, [])).toEqual(['stream.setting']);
}, 120_000);

test('once it has started, no environment is created, whose replicas it would not erase', async () => {
  const tenant = await newTenant();
  await requestDeletion(tenant);
  const create = (name: string) => tenant.call('POST', '/environments', { name, type: 'live' });
  expect((await create('Before')).status).toBe(201);
  // As the creation finds it that was authorised before the start.
  await env.DB.prepare('UPDATE organisation_deletion SET started_at = 1 WHERE org_id = ?')
    .bind(tenant.orgId)
    .run();
  expect((await create('After')).status).toBe(404);
  const row = await env.DB.prepare(
    "SELECT count(*) AS total FROM environment WHERE org_id = ? AND name = 'After'",
  )
    .bind(tenant.orgId)
    .first('total');
  expect(row).toBe(0);
});

test('when it starts, its live views are closed at once', async () => {
  const [gone, other] = [await newTenant(), await newTenant()];
  const view = await openLiveView(gone.user, gone.orgId);
  const kept = await openLiveView(other.user, other.orgId);
  await requestDeletion(gone);
  await makeDue(gone);
  await runOnce();
  await expect.poll(view.closedWith).not.toBeNull();
  expect(kept.closedWith()).toBeNull();
  const rows = await env.DB.prepare('SELECT id FROM watch_session WHERE org_id = ?').bind(gone.orgId).all();
  expect(rows.results).toEqual([]);
});

test('the organisation’s subscription ends with the last usage reported, and an open checkout expires', async () => {
  const tenant = await newTenant();
  const { subscriptionId } = await subscribe(tenant);
  const { stripe } = await platformStripeAccount();
  await requestDeletion(tenant);
  expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('active');
  await runToTheEnd(tenant);
  expect((await stripe.subscriptions.retrieve(subscriptionId)).status).toBe('canceled');
}, 60_000);

test('a run that ends anywhere is continued by the next one, also after a failure and side by side', async () => {
  const used = await usedTenant();
  const { tenant, previewId } = used;
  await requestDeletion(tenant);
  await makeDue(tenant);

  expectConsole('error', /an organisation could not be deleted/);
  const failed = new Set<string>();
  const bindings = failingOnce(failed);
  const positions = new Set<string>();
  await eventually(async () => {
    await Promise.all([runOnce(bindings), runOnce(bindings)]);
    const row = await deletionRow(tenant);
    if (row !== null) positions.add(`${row.step} ${row.position}`);
    // The pause after a failure is over.
    await env.DB.prepare('UPDATE organisation_deletion SET busy_until = 0 WHERE failures > 0').run();
    expect(row).toBeNull();
  });
  expect([...failed].sort()).toEqual([
    'ARTIFACTS',
    'ENVIRONMENT_REPLICA',
    'EVENT_ARCHIVE',
    'EVENT_STREAM',
    'LEDGER',
  ]);
  expect(positions.size).toBeGreaterThan(1);
  expect(await storedInObjects(tenant, [previewId])).toEqual(['stream.setting']);
  expect(await archivedOf(tenant)).toEqual([]);
}, 120_000);

test('the audit log of an organisation that is not being deleted cannot be deleted', async () => {
  const tenant = await newTenant();
  await requestDeletion(tenant);
  const remove = env.DB.prepare('DELETE FROM audit_log WHERE org_id = ?').bind(tenant.orgId).run();
  await expect(remove).rejects.toThrow('append-only');
});

test('a lone owner deletes the account as soon as the deletion is scheduled, and it still happens', async () => {
  const tenant = await newTenant();
  const remove = () => tenant.user.fetch('/api/auth/delete-user', { json: { password: PASSWORD } });
  expect((await remove()).status).toBe(400);
  await requestDeletion(tenant);
  expect((await remove()).status).toBe(200);
  expect((await signIn(tenant.user.email)).status).toBe(401);
  await runToTheEnd(tenant);
  expect(Object.keys(await rowsWith([tenant.orgId]))).toEqual(['audit_log']);
}, 60_000);
