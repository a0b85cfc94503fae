// The sudo area: for platform staff only, audited, and able to retry dead letters.
import { env } from 'cloudflare:test';
import { and, eq, like, ne } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { DeadLetter, SudoOrganisation, SudoUser } from '#contracts/console/sudo';
import type { QueueMessage } from '#runtime/messages';
import {
  mailsTo,
  makeStaff,
  newMember,
  newOrganisation,
  newStaff,
  type SignedIn,
  signedIn,
} from '#tests/support/accounts';
import { subscribe } from '#tests/support/billing';
import { expectConsole } from '#tests/support/expect-console';
import { inProduction } from '#tests/support/production';
import { platformStripeAccount } from '#tests/support/stripe';
import { newTenant } from '#tests/support/tenants';
import { commit, openDatabase } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { environment } from '#worker/db/schema/environments';
import { auditLog, deadLetter, outbox } from '#worker/db/schema/operations';
import { organization } from '#worker/db/schema/organisations';
import { USAGE_BLOCK_REASON } from '#worker/domains/billing/usage-block';
import { workContext } from '#worker/http/make-work-context';
import { keepDeadLetters } from '#worker/queue/keep-dead-letters';

const db = openDatabase(env.DB);

let staff: SignedIn;
let owner: SignedIn;
let orgId: string;

beforeAll(async () => {
  staff = await newStaff();
  owner = await signedIn('Orla Owner');
  ({ orgId } = await newOrganisation(owner, 'Quince & Sons'));
});

beforeEach(async () => {
  await db.delete(deadLetter);
});

async function read<Answer>(path: string, who = staff): Promise<Answer> {
  const response = await who.fetch(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

function put(path: string, body: unknown, who = staff): Promise<Response> {
  return who.fetch(path, { method: 'PUT', json: body });
}

const auditOf = (targetId: string) => db.select().from(auditLog).where(eq(auditLog.targetId, targetId));

test('organisations are found by a part of the name in any case, and by id, with plan and block', async () => {
  await db.update(organization).set({ blockReason: USAGE_BLOCK_REASON }).where(eq(organization.id, orgId));
  const byName = await read<SudoOrganisation[]>('/api/sudo/orgs/search?search=quince%20%26');
  expect(byName).toEqual([
    {
      id: orgId,
      name: 'Quince & Sons',
      planDisplayName: 'Build',
      block: { isBlocked: true, blockReason: 'usage' },
    },
  ]);
  expect(await read(`/api/sudo/orgs/search?search=${orgId.slice(4)}`)).toEqual(byName);
  expect(await read("/api/sudo/orgs/search?search=%25'%20OR%201=1--")).toEqual([]);

  const earlier = 'This month’s 100,000 API calls of the Build plan are used up';
  await db.update(organization).set({ blockReason: earlier }).where(eq(organization.id, orgId));
  expect(await read('/api/sudo/orgs/search?search=quince%20%26')).toEqual(byName);
});

test('names with capital letters beyond ASCII are found as they are written', async () => {
  const doctor = await signedIn('Łukasz Øre');
  const { orgId: clinic } = await newOrganisation(doctor, 'Ärzte GmbH');
  for (const search of ['Ärzte', 'gmbh']) {
    const found = await read<SudoOrganisation[]>(
      `/api/sudo/orgs/search?search=${encodeURIComponent(search)}`,
    );
    expect(
      found.map(({ id }) => id),
      search,
    ).toEqual([clinic]);
  }
  const [found] = await read<SudoUser[]>(`/api/sudo/users/search?search=${encodeURIComponent('Łukasz')}`);
  expect(found).toMatchObject({ id: doctor.userId });
});

test.each([
  ['Bruce Ng', ['bruce ng']],
  ['山田太郎', ['太郎', '田']],
  ['Søren Ødegård', ['soren', 'ødegård', 'ODEGARD']],
  ['Łukasz Weiß', ['lukasz weiss', 'łukasz weiß']],
  ['Conan O’Brien', ["O'Brien", 'o’brien']],
  ['Globex (Acme)', ['(acme)']],
])('the user and the organisation %s are found by name', async (name, searches) => {
  const person = await signedIn(name);
  const { orgId: own } = await newOrganisation(person, name);
  for (const search of searches) {
    const query = new URLSearchParams({ search });
    const organisations = await read<SudoOrganisation[]>(`/api/sudo/orgs/search?${query}`);
    expect(
      organisations.map(({ id }) => id),
      search,
    ).toEqual([own]);
    const users = await read<SudoUser[]>(`/api/sudo/users/search?${query}`);
    expect(
      users.map(({ id }) => id),
      search,
    ).toEqual([person.userId]);
  }
});

test('of many names in other scripts the newest matches are shown, and a single one is found behind all others', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
     INSERT INTO organization (id, name, slug, created_at, updated_at, data_locations)
     SELECT 'org_many' || i, iif(i < 12000, 'Ünlü ' || i, 'Şahin'), 'many-' || i, 20000 - i, 1, '[]' FROM n`,
  ).run();
  const found = await read<SudoOrganisation[]>('/api/sudo/orgs/search?search=unlu');
  expect(found.map(({ name }) => name)).toEqual(
    Array.from({ length: 100 }, (_, index) => `Ünlü ${index + 1}`),
  );
  expect(await read('/api/sudo/orgs/search?search=sahin')).toMatchObject([{ name: 'Şahin' }]);
  await db.delete(organization).where(like(organization.id, 'org_many%'));
});

test('a search text of more than 30 characters is rejected, naming the field', async () => {
  const response = await staff.fetch(`/api/sudo/users/search?search=${'a'.repeat(31)}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'search' }] });
});

test('internal fields of an organisation can be changed and are audited; a concurrent change is a conflict', async () => {
  const before = await read<{ updatedAt: number }>(`/api/sudo/orgs/${orgId}/summary`);
  const { id: customerId } = await newCustomer();
  const edit = { plan: 'grow', activeStripeCustomerId: customerId, updatedAt: before.updatedAt };
  const changed = await put(`/api/sudo/orgs/${orgId}`, edit);
  expect(changed.status).toBe(200);
  expect(await changed.json()).toMatchObject({ plan: 'grow', activeStripeCustomerId: customerId });
  expect(await auditOf(orgId)).toContainEqual(
    expect.objectContaining({ action: 'sudo.organisation-changed', actorUserId: staff.userId }),
  );

  const emptied = await put(`/api/sudo/orgs/${orgId}`, {
    activeStripeCustomerId: ' ',
    activeStripeSubscriptionId: '',
  });
  expect(await emptied.json()).toMatchObject({
    activeStripeCustomerId: null,
    activeStripeSubscriptionId: null,
  });

  const stale = await put(`/api/sudo/orgs/${orgId}`, { ...edit, plan: 'build' });
  expect(stale.status).toBe(409);
  expect(await stale.json()).toMatchObject({ current: { plan: 'grow' } });
  expect((await put('/api/sudo/orgs/org_unknown', { plan: 'grow' })).status).toBe(404);
});

async function newCustomer(metadata: Record<string, string> = {}) {
  const { stripe } = await platformStripeAccount();
  return stripe.customers.create({ metadata });
}

const REFUSED = 'sudo.organisation-change-refused';

test('Stripe IDs of another organisation are refused, here and in Stripe’s metadata, and both organisations’ logs say so', async () => {
  const { stripe } = await platformStripeAccount();
  const [own, paying] = await Promise.all([newTenant(), newTenant()]);
  const { subscriptionId } = await subscribe(paying);
  const { customer } = await stripe.subscriptions.retrieve(subscriptionId);
  const customerId = String(customer);
  const byMetadata = await newCustomer({ orgId: paying.orgId });
  const set = (change: object) => put(`/api/sudo/orgs/${own.orgId}`, change);
  for (const [field, id] of [
    ['activeStripeCustomerId', customerId],
    ['activeStripeCustomerId', byMetadata.id],
    ['activeStripeSubscriptionId', subscriptionId],
  ] as const) {
    const refused = await set({ [field]: id });
    expect([refused.status, await refused.json()]).toMatchObject([409, { issues: [{ path: field }] }]);
  }
  // Detached here, but its metadata and its customer still say whose it is.
  const detached = { activeStripeCustomerId: null, activeStripeSubscriptionId: null };
  expect((await put(`/api/sudo/orgs/${paying.orgId}`, detached)).status).toBe(200);
  expect((await set({ activeStripeSubscriptionId: subscriptionId })).status).toBe(409);
  expect((await set({ activeStripeCustomerId: customerId })).status).toBe(409);
  for (const each of [own.orgId, paying.orgId]) {
    const refusals = (await auditOf(each)).filter(({ action }) => action === REFUSED);
    expect(refusals).toHaveLength(5);
    expect(refusals[0]).toMatchObject({ orgId: each, actorUserId: staff.userId });
  }
  expect(await read(`/api/sudo/orgs/${own.orgId}/summary`)).toMatchObject(detached);
  const unknown = await set({ activeStripeCustomerId: 'cus_unknown' });
  expect([unknown.status, await unknown.json()]).toMatchObject([
    400,
    { issues: [{ path: 'activeStripeCustomerId' }] },
  ]);
});

test('organisations that already share a Stripe ID keep it when other fields are saved with it', async () => {
  const tenants = await Promise.all([newTenant(), newTenant()]);
  const { id } = await newCustomer();
  const shared = { activeStripeCustomerId: id, activeStripeSubscriptionId: `sub_${id}` };
  for (const { orgId: each } of tenants)
    await db.update(organization).set(shared).where(eq(organization.id, each));
  const saved = await put(`/api/sudo/orgs/${tenants[0].orgId}`, { ...shared, plan: 'grow' });
  expect([saved.status, await saved.json()]).toMatchObject([200, { ...shared, plan: 'grow' }]);
});

test('without Stripe’s answer no Stripe ID is set, and the reason is given', async () => {
  const { orgId: ownId } = await newTenant();
  const { id } = await newCustomer();
  const platform = await platformStripeAccount();
  await platform.setFaults({ isDown: true, onlyRequests: 'GET /v1/customers' });
  expectConsole('error', /billing request to Stripe failed/);
  const refused = await put(`/api/sudo/orgs/${ownId}`, { activeStripeCustomerId: id });
  await platform.setFaults({ isDown: false });
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { message: expect.stringContaining('Stripe cannot be reached') },
  ]);
});

test('staff change plan and Stripe IDs of an organisation they belong to only if they are the only staff, and its owners get a mail', async () => {
  const tenant = await newTenant();
  const colleague = await newMember(tenant.user, tenant.orgId);
  const invited = await signedIn('Ivy Invited');
  const invitation = { organizationId: tenant.orgId, email: invited.email, role: 'member' };
  await tenant.user.fetch('/api/auth/organization/invite-member', { json: invitation });
  await Promise.all([colleague, invited].map(makeStaff));
  const { id } = await newCustomer();
  const path = `/api/sudo/orgs/${tenant.orgId}`;
  for (const who of [colleague, invited]) {
    for (const change of [{ plan: 'grow' }, { activeStripeCustomerId: id }]) {
      expect((await put(path, change, who)).status).toBe(403);
    }
  }
  expect(await read(`${path}/summary`)).toMatchObject({ plan: 'build', activeStripeCustomerId: null });
  expect((await auditOf(tenant.orgId)).filter(({ action }) => action === REFUSED)).toHaveLength(4);
  expect((await put(path, { plan: 'build', activeStripeCustomerId: null }, colleague)).status).toBe(200);

  await db.update(user).set({ sudo: false }).where(ne(user.id, colleague.userId));
  expect((await put(path, { plan: 'grow' }, colleague)).status).toBe(200);
  await db.update(user).set({ sudo: true }).where(eq(user.id, staff.userId));
  await expect
    .poll(async () => (await mailsTo(tenant.user.email)).map(({ subject }) => subject))
    .toContainEqual(expect.stringMatching(/staff changed the plan or payment IDs/));
});

test('users are found by name, email and id, with their organisations', async () => {
  const [found] = await read<SudoUser[]>('/api/sudo/users/search?search=orla%20own');
  expect(found).toMatchObject({
    id: owner.userId,
    name: 'Orla Owner',
    enabled: true,
    sudo: false,
    memberOrganisations: [{ id: orgId, name: 'Quince & Sons' }],
  });
  expect(await read(`/api/sudo/users/search?search=${owner.email.slice(0, 25)}`)).toContainEqual(found);
  expect(await read(`/api/sudo/users/${owner.userId}`)).toEqual(found);
});

test('a disabled user is signed out immediately, and the change is audited', async () => {
  const doomed = await signedIn('Dora Doomed');
  const response = await put(`/api/sudo/users/${doomed.userId}`, { enabled: false, name: 'Dora D.' });
  expect(await response.json()).toMatchObject({ enabled: false, name: 'Dora D.' });
  expect((await doomed.fetch('/api/user/orgs')).status).toBe(401);
  expect(await auditOf(doomed.userId)).toContainEqual(
    expect.objectContaining({ action: 'sudo.user-changed', actorUserId: staff.userId }),
  );
});

test('an account that is disabled or enabled is in the activity of its organisations', async () => {
  const member = await newMember(owner, orgId);
  const { orgId: other } = await newOrganisation(member, 'Second Home');
  for (const enabled of [false, false, true]) await put(`/api/sudo/users/${member.userId}`, { enabled });
  for (const of of [orgId, other]) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.orgId, of), like(auditLog.action, 'member.%abled')));
    expect(rows.map(({ action, actorUserId, detail }) => [action, actorUserId, detail?.email])).toEqual([
      ['member.disabled', staff.userId, member.email],
      ['member.enabled', staff.userId, member.email],
    ]);
  }
});

test('staff cannot disable their own account, and an email in use is rejected, naming the field', async () => {
  const own = await put(`/api/sudo/users/${staff.userId}`, { enabled: false });
  expect(own.status).toBe(400);
  expect(await own.json()).toMatchObject({ issues: [{ path: 'enabled' }] });
  const alone = await signedIn('Ada Alone');
  const taken = await put(`/api/sudo/users/${alone.userId}`, { email: staff.email.toUpperCase() });
  expect(taken.status).toBe(409);
  expect(await taken.json()).toMatchObject({ issues: [{ path: 'email' }] });
});

test('a dead letter is listed, and retrying it does its work', async () => {
  const message = { type: 'workspace.changed', outboxId: 'out_dead', orgId } as const;
  await db.insert(outbox).values({
    id: message.outboxId,
    orgId,
    type: message.type,
    payload: message,
    createdAt: 1,
    sentAt: Date.now(),
  });
  await giveUp('tessera-publish-dead', message);
  const { items, total } = await read<{ items: DeadLetter[]; total: number }>('/api/sudo/dead-letters');
  expect(total).toBe(1);
  expect(items).toMatchObject([
    { queue: 'tessera-publish-dead', type: 'workspace.changed', orgId, attempts: 11 },
  ]);

  const path = `/api/sudo/dead-letters/${items[0]?.id}/retry`;
  expect((await staff.fetch(path, { method: 'POST' })).status).toBe(204);
  expect(await db.select().from(deadLetter)).toEqual([]);
  await expect.poll(() => db.select().from(outbox).where(eq(outbox.id, message.outboxId))).toEqual([]);
  expect((await staff.fetch(path, { method: 'POST' })).status).toBe(404);
});

test('a discarded message is deleted, and the audit log names the actor', async () => {
  await giveUp('tessera-publish-dead', { type: 'workspace.changed', outboxId: 'out_x', orgId });
  const { items } = await read<{ items: DeadLetter[] }>('/api/sudo/dead-letters');
  const id = items[0]?.id ?? '';
  expect((await staff.fetch(`/api/sudo/dead-letters/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await db.select().from(deadLetter)).toEqual([]);
  expect(await auditOf(id)).toMatchObject([
    { action: 'sudo.dead-letter-discarded', actorUserId: staff.userId },
  ]);
  expect((await staff.fetch(`/api/sudo/dead-letters/${id}`, { method: 'DELETE' })).status).toBe(404);
});

test('dead letters are paged, newest first, without customers’ events', async () => {
  const group = { count: 3 };
  await commit(
    db,
    Array.from({ length: 60 }, (_, index) =>
      db.insert(deadLetter).values({
        id: `dead_${String(index).padStart(3, '0')}`,
        queue: 'tessera-events-dead',
        body: {
          type: 'events.recorded',
          batch: { orgId, groups: [group, { ...group, lines: 'secret-line' }] },
        },
        attempts: 11,
        diedAt: 1000 + Math.floor(index / 7),
      }),
    ),
  );
  type Page = { items: DeadLetter[]; nextCursor: string | null; total: number };
  const first = await read<Page>('/api/sudo/dead-letters');
  const second = await read<Page>(`/api/sudo/dead-letters?cursor=${first.nextCursor}`);
  const ids = [...first.items, ...second.items].map(({ id }) => id);
  expect(ids).toEqual(
    Array.from({ length: 60 }, (_, index) => `dead_${String(59 - index).padStart(3, '0')}`),
  );
  expect(second.nextCursor).toBeNull();
  expect(first.items[0]?.body).toEqual({ type: 'events.recorded', orgId, events: 6 });
  expect(JSON.stringify(first)).not.toContain('secret-line');
});

test('messages that cannot be sent do not keep a queue from being retried', async () => {
  const queue = 'tessera-events-dead';
  const gone = (index: number) => ({ type: 'events.recorded', orgId, events: 1, key: `gone/${index}` });
  await commit(
    db,
    Array.from({ length: 120 }, (_, index) =>
      db
        .insert(deadLetter)
        .values({ id: `gone_${index}`, queue, body: gone(index), attempts: 11, diedAt: 1 }),
    ),
  );
  const body = { type: 'events.recorded', batch: { orgId, groups: [] } };
  await db.insert(deadLetter).values({ id: 'newer', queue, body, attempts: 11, diedAt: 2 });
  expectConsole('error', /dead letter could not be retried.*events are gone/);
  const sent = vi.spyOn(env.EVENTS_QUEUE, 'send').mockResolvedValue(undefined as never);
  const retry = async () =>
    (await staff.fetch('/api/sudo/dead-letters/retry', { method: 'POST', json: { queue } })).json();
  expect(await retry()).toEqual({ retried: 1, remaining: 120 });
  expect(await retry()).toEqual({ retried: 0, remaining: 120 });
  // A later one is tried before those that failed.
  await db.insert(deadLetter).values({ id: 'newest', queue, body, attempts: 11, diedAt: 3 });
  expect(await retry()).toEqual({ retried: 1, remaining: 120 });
  expect(sent).toHaveBeenCalledTimes(2);
  sent.mockRestore();
});

test('events of dead letters are in R2, and a queue is retried as a whole, with rows of earlier releases', async () => {
  const queue = 'tessera-events-dead';
  const group = {
    id: 'g',
    envId: '',
    ids: '[]',
    count: 3,
    fromAt: 1,
    toAt: 1,
    terms: '',
    lines: 'secret-line',
    shapes: '',
    texts: [],
  };
  const eventsOf = (lines: string) =>
    ({ type: 'events.recorded', batch: { orgId, groups: [{ ...group, lines }] } }) as const;
  const objects = async () => (await env.EVENT_ARCHIVE.list({ prefix: `dead-letters/${orgId}/` })).objects;
  for (let index = 0; index < 60; index += 1)
    await giveUp(queue, eventsOf(`secret-line ${index}`), `m-${index}`);
  await giveUp(queue, eventsOf('secret-line 0'), 'm-0'); // Delivered twice.
  await db
    .insert(deadLetter)
    .values({ id: 'dead_old', queue, body: eventsOf('old'), attempts: 11, diedAt: 1 });
  await giveUp('tessera-publish-dead', { type: 'workspace.changed', outboxId: 'out_other', orgId });
  expect(await objects()).toHaveLength(60);
  expect(JSON.stringify(await db.select().from(deadLetter))).not.toContain('secret-line');

  const list = await read<{ items: DeadLetter[]; queues: unknown }>('/api/sudo/dead-letters');
  expect(list.queues).toEqual([
    { queue, total: 61 },
    { queue: 'tessera-publish-dead', total: 1 },
  ]);
  const shown = list.items.find((item) => item.queue === queue);
  expect(shown).toMatchObject({ orgId, body: { type: 'events.recorded', orgId, events: 3 } });

  const gone = (await objects())[0]?.key ?? '';
  await env.EVENT_ARCHIVE.delete(gone);
  expectConsole('error', /dead letter could not be retried.*events are gone/);
  const sent = vi.spyOn(env.EVENTS_QUEUE, 'send').mockResolvedValue(undefined as never);
  const retryAll = async (json: unknown) =>
    staff.fetch('/api/sudo/dead-letters/retry', { method: 'POST', json });
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(await (await retryAll({ queue })).json());
  const bodies = sent.mock.calls.map(
    ([body]) => (body as ReturnType<typeof eventsOf>).batch.groups[0]?.lines,
  );
  sent.mockRestore();
  expect(answers.at(-1)).toEqual({ retried: 0, remaining: 1 });
  expect(new Set(bodies).size).toBe(60);
  expect(bodies).toEqual(expect.arrayContaining(['old', 'secret-line 59']));
  expect(await objects()).toEqual([]);
  const [left] = await db.select().from(deadLetter).where(eq(deadLetter.queue, queue));
  expect(left?.body).toMatchObject({ key: gone });
  expect(await auditOf('dead_old')).toMatchObject([{ action: 'sudo.dead-letter-retried', orgId }]);
  expect((await staff.fetch(`/api/sudo/dead-letters/${left?.id}/retry`, { method: 'POST' })).status).toBe(
    404,
  );
  expect((await staff.fetch(`/api/sudo/dead-letters/${left?.id}`, { method: 'DELETE' })).status).toBe(204);
  for (const body of [{}, { queue: 5 }, { queue: '' }, { queue, all: true }]) {
    expect((await retryAll(body)).status).toBe(400);
  }
});

/** As the platform does after the last attempt. */
async function giveUp(queue: string, body: QueueMessage, id = 'message') {
  const message = { id, body, attempts: 11, ack() {}, retry() {} };
  const batch = { queue, messages: [message] } as unknown as MessageBatch<QueueMessage>;
  const quiet = { info() {}, warn() {}, error() {} };
  await keepDeadLetters({ ...workContext(env, Date.now), log: quiet }, batch);
}

test('in development a signed-in user can become platform staff, from the page itself only', async () => {
  const person = await signedIn('Petra Person');
  expect((await person.fetch('/api/sudo/orgs/search')).status).toBe(404);
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
  expect((await person.fetch('/dev/staff', foreign)).status).toBe(403);
  expect((await person.fetch('/api/sudo/orgs/search')).status).toBe(404);
  expect((await person.fetch('/dev/staff', { method: 'POST' })).status).toBe(204);
  expect((await person.fetch('/api/sudo/orgs/search')).status).toBe(200);
  expect((await inProduction('/dev/staff', { method: 'POST' })).status).toBe(404);
});

test.each([
  ['clear-usage-blocks', 'Quince & Sons is no longer blocked'],
  ['clear-usage-blocks', 'Quince & Sons was not blocked'],
  ['preview-environment-publish', 'The preview environment is being published'],
  ['environment-variants-update', '1 environment is being published'],
  ['rebuild-log-index', 'There are no stored events to rebuild from'],
  ['publish-stripe-lookups', 'Nothing to publish: everything already exists'],
])('%s is performed, reported and audited', async (action, message) => {
  const response = await staff.fetch(`/api/sudo/orgs/${orgId}/${action}`, { method: 'POST' });
  expect(await response.json()).toEqual({ message });
  const acts = await db.select().from(auditLog).where(eq(auditLog.orgId, orgId));
  expect(acts).toContainEqual(
    expect.objectContaining({
      action: 'sudo.acted',
      detail: { sudoAction: action },
      actorUserId: staff.userId,
    }),
  );
});

test('publishing the preview or all environments raises their generation', async () => {
  const generations = () =>
    db.select({ generation: environment.generation }).from(environment).where(eq(environment.orgId, orgId));
  const before = await generations();
  await staff.fetch(`/api/sudo/orgs/${orgId}/environment-variants-update`, { method: 'POST' });
  const after = await generations();
  expect(after.map(({ generation }) => generation)).toEqual(before.map(({ generation }) => generation + 1));
});

test('an action on a missing organisation is a 404', async () => {
  const path = '/api/sudo/orgs/org_unknown/environment-variants-update';
  expect((await staff.fetch(path, { method: 'POST' })).status).toBe(404);
});
