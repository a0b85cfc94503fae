// Whatever changes the facts of a name raises their version, and ledgers that know the name are told: whoever said so, whichever row it is
// in, and whatever the clocks of the Workers that make the changes. No version falls.
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { check } from '#tests/support/access-checks';
import { rowsOf } from '#tests/support/database-rows';
import { eventually } from '#tests/support/eventually';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { connectAccount, nameByMetadata, someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { toldFacts } from '#tests/support/told-facts';
import { openDatabase } from '#worker/db/database';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { storeReadings } from '#worker/domains/integrations/stripe/sync/refresh-customer';
import type { StripeSource } from '#worker/domains/integrations/stripe/sync/stripe-source';
import { workContext } from '#worker/http/make-work-context';

const NAME = 'ws-9';
/** Created, with a user ID and an email that a Stripe customer has, too. */
const [SHARING, SHARED_ID, SHARED_EMAIL] = ['ws-10', 'user-10', 'shared@tests.example'];
const EMAILS = ['first@tests.example', 'new@tests.example', 'second@tests.example', 'third@tests.example'];
const [EMAIL = '', NEW_EMAIL = '', SECOND_EMAIL = '', THIRD_EMAIL = ''] = EMAILS;
const [FIRST, SECOND, THIRD, FOURTH] = Array.from({ length: 4 }, someCustomerId) as [
  string,
  string,
  string,
  string,
];
const NAMES = [NAME, 'user-9', FIRST, SECOND, THIRD, ...EMAILS, SHARING, SHARED_ID, SHARED_EMAIL, FOURTH];

let own: Provisioner;
let [account, other] = ['', ''];
let reads = 0;

beforeEach(async () => {
  own = await provisioner();
  account = await connectAccount(own.tenant);
  other = await connectAccount(own.tenant);
  await nameByMetadata(own.tenant);
});

afterEach(() => vi.useRealTimers());

interface AtStripe {
  readonly email?: string;
  readonly carries?: string;
  readonly isDeleted?: boolean;
}

/** As an event does after it has read the customer from Stripe. */
async function store(id: string, { email, carries, isDeleted = false }: AtStripe, integrationId = account) {
  const source = {
    ctx: workContext(env, Date.now),
    integration: { id: integrationId, orgId: own.tenant.orgId },
  } as unknown as StripeSource;
  const metadata: Record<string, string> = carries === undefined ? {} : { workspace: carries };
  const customer = {
    ...{ id, email: email ?? null, name: null, livemode: false, createdAt: 1, isDeleted },
    metadata,
    subscriptions: isDeleted ? [] : [subscribed('prod_pro')],
  };
  reads += 1;
  expect(await storeReadings(source, [{ customer, readAt: reads }])).toEqual([null]);
}

const save = async (body: object, name = NAME) =>
  expect((await callCustomers(own.managing.value, 'PUT', `/${name}`, body)).status).toBe(200);

const say = (customerId: string, integrationId = account) => save({ stripe: { integrationId, customerId } });

async function setKey(userIdKey: string | null, integrationId = account) {
  await own.tenant.make('PUT', `/integrations/stripe/${integrationId}`, { userIdKey });
  await eventually(async () => {
    const row = await env.DB.prepare('SELECT count(*) AS total FROM outbox WHERE id = ?')
      .bind(`out_user_ids_${integrationId}`)
      .first<{ total: number }>();
    expect(row?.total).toBe(0);
  });
}

const disconnect = (integrationId: string) =>
  own.tenant.make('DELETE', `/integrations/stripe/${integrationId}`);

const factsNow = () => loadFactsOfMany(openDatabase(env.DB), own.tenant, own.previewId, NAMES);

type Facts = ReadonlyMap<string, CustomerFacts>;
type Step = readonly [what: string, change: () => Promise<unknown>, changed: readonly string[]];

/** The changes, and names whose facts they change. */
const STEPS: readonly Step[] = [
  ['a customer of Stripe', () => store(FIRST, { email: EMAIL, carries: NAME }), [NAME, FIRST, EMAIL]],
  ['the ID that it carries is created', () => save({}), [NAME, FIRST, EMAIL]],
  ['its email changes', () => store(FIRST, { email: NEW_EMAIL, carries: NAME }), [NAME, EMAIL, NEW_EMAIL]],
  ['a plan is granted to its email', () => own.grant(NEW_EMAIL, { planId: own.proId }), [NAME, NEW_EMAIL]],
  [
    'a second one carries the ID',
    () => store(SECOND, { email: SECOND_EMAIL, carries: NAME }),
    [NAME, FIRST, NEW_EMAIL, SECOND, SECOND_EMAIL],
  ],
  ['a call says the second one', () => say(SECOND), [NAME, SECOND, SECOND_EMAIL]],
  [
    'the second one is deleted',
    () => store(SECOND, { isDeleted: true }),
    [NAME, FIRST, NEW_EMAIL, SECOND_EMAIL],
  ],
  ['a third one', () => store(THIRD, { email: THIRD_EMAIL }), [THIRD, THIRD_EMAIL]],
  ['a call says the third one', () => say(THIRD), [NAME, FIRST, NEW_EMAIL, THIRD, THIRD_EMAIL]],
  ['the call takes it back', () => save({ stripe: null }), [NAME, FIRST, NEW_EMAIL, THIRD, THIRD_EMAIL]],
  [
    'another customer is created',
    () => save({ userId: SHARED_ID, email: SHARED_EMAIL }, SHARING),
    [SHARING, SHARED_ID, SHARED_EMAIL],
  ],
  [
    'a customer of Stripe carries its user ID',
    () => store(FOURTH, { email: 'fourth@tests.example', carries: SHARED_ID }, other),
    [SHARING, FOURTH],
  ],
  ['a call says that this one is the first customer', () => say(FOURTH, other), [NAME, SHARING, FOURTH]],
  ['the call takes that back', () => save({ stripe: null }), [NAME, SHARING, FOURTH]],
  [
    'it has the email of the other customer',
    () => store(FOURTH, { email: SHARED_EMAIL }, other),
    [SHARING, FOURTH],
  ],
  ['a call says again that it is the first customer', () => say(FOURTH, other), [NAME, SHARING, FOURTH]],
  ['the call takes that back again', () => save({ stripe: null }), [NAME, SHARING, FOURTH]],
  [
    'the third one carries the ID',
    () => store(THIRD, { email: THIRD_EMAIL, carries: NAME }),
    [NAME, FIRST, NEW_EMAIL],
  ],
  [
    'it carries another one',
    () => store(THIRD, { email: THIRD_EMAIL, carries: 'user-9' }),
    [NAME, FIRST, NEW_EMAIL, 'user-9'],
  ],
  [
    'a customer of another account',
    () => store(SECOND, { email: SECOND_EMAIL, carries: NAME }, other),
    [SECOND, SECOND_EMAIL],
  ],
  ['the other account names no key', () => setKey(null, other), [NAME, SECOND, SECOND_EMAIL]],
  ['the account names no key', () => setKey(null), [NAME, FIRST, NEW_EMAIL]],
  ['the account names a key again', () => setKey('workspace'), [NAME, FIRST, NEW_EMAIL]],
  ['the other account names a key again', () => setKey('workspace', other), [NAME, SECOND, SECOND_EMAIL]],
  ['the account is disconnected', () => disconnect(account), [NAME, FIRST, NEW_EMAIL]],
  ['the other account is disconnected', () => disconnect(other), [NAME, SECOND, SECOND_EMAIL]],
  ['a plan is granted to an email', () => own.grant(EMAIL, { planId: own.proId }), [EMAIL]],
];

const bodyOf = (facts: CustomerFacts | undefined) => JSON.stringify({ ...facts, version: 0 });

/** Of names whose facts are not of a higher version than those before which they differ from, or of a lower one. */
function notRaised(before: Facts, after: Facts): string[] {
  return NAMES.flatMap((name) => {
    const [one, two] = [before.get(name), after.get(name)];
    const risen = (two?.version ?? 0) - (one?.version ?? 0);
    const isChanged = bodyOf(one) !== bodyOf(two);
    return risen < 0 || (isChanged && risen === 0) ? [`${name}: ${one?.version} ${two?.version}`] : [];
  });
}

test.each([
  ['one clock', 0],
  ['clocks of which each is a second behind the one before', -1_000],
])('each change of names raises the versions of all whose facts it changes: %s', async (_, stepMs) => {
  const begun = Date.now();
  let before = await factsNow();
  for (const [index, [what, change, changed]] of STEPS.entries()) {
    if (stepMs !== 0) vi.setSystemTime(begun + index * stepMs);
    await change();
    const after = await factsNow();
    expect([what, changed.filter((name) => bodyOf(before.get(name)) === bodyOf(after.get(name)))]).toEqual([
      what,
      [],
    ]);
    expect([what, notRaised(before, after)]).toEqual([what, []]);
    before = after;
  }
});

test('each change of names is told to the ledgers that know one of those whose facts it changes', async () => {
  for (const [what, change] of STEPS.filter(([what]) => !what.endsWith('disconnected'))) {
    for (const userIdentifier of NAMES) await check(own.secret, { userIdentifier });
    await change();
    await eventually(async () => {
      const [told, facts] = [await toldFacts(own.previewId, NAMES), await factsNow()];
      expect([what, told.size > 0]).toEqual([what, true]);
      const differing = NAMES.filter(
        (name) => told.has(name) && bodyOf(told.get(name)) !== bodyOf(facts.get(name)),
      );
      expect([what, differing]).toEqual([what, []]);
    });
  }
});

test('who carries a user ID comes in one order, whoever owns which email: that is told to none who asks by the user ID', async () => {
  const carriers = [FIRST, SECOND].toSorted();
  const [one = '', two = ''] = carriers;
  await store(one, { carries: 'user-9' });
  await store(two, { email: SECOND_EMAIL, carries: 'user-9' });
  const facts = await factsNow();
  expect(facts.get(SECOND_EMAIL)?.aliasOf?.customerId).toBe(two);
  expect(facts.get('user-9')?.namesakes?.map(({ customerId }) => customerId)).toEqual(carriers);
});

test('an event of one of many with the same metadata raises the versions of nobody else, and reads each of them once', async () => {
  const many = 300;
  await save({});
  await store(FIRST, { email: EMAIL, carries: NAME });
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO stripe_customer (integration_id, org_id, id, email, livemode, metadata, user_id, subscriptions, created_at, read_at, facts_version)
     SELECT ?, ?, 'cus_Same' || i, i || '@same.example', 0, '{"workspace":"ws-9"}', 'ws-9', '[]', i, 1, 1 FROM n`,
  )
    .bind(many, account, own.tenant.orgId)
    .run();
  const read = await rowsOf('rows_read', () => store(SECOND, { email: SECOND_EMAIL, carries: NAME }));
  // Each is looked up by each of its names in a dozen statements; with one another they would be 900,000.
  expect(read).toBeLessThan(many * 1_000);
  const raised = await env.DB.prepare(
    'SELECT count(*) AS total FROM stripe_customer WHERE org_id = ? AND facts_version > 1',
  )
    .bind(own.tenant.orgId)
    .first<{ total: number }>();
  expect(raised?.total).toBe(2);
});

test.each([
  ['metadata', "'many' || i || '@same.example'", "'ws-9'"],
  ['email', `'${SECOND_EMAIL}'`, 'NULL'],
  ['email and metadata of a created customer', `'${SECOND_EMAIL}'`, `'${NAME}'`],
])('an event of one of 3,000 with the same %s reads little more than with 300', async (_, email, userId) => {
  await save({});
  const fill = (from: number, to: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO stripe_customer (integration_id, org_id, id, email, livemode, metadata, user_id, subscriptions, created_at, read_at, facts_version, email_role)
       SELECT ?, ?, 'cus_Many' || i, ${email}, 0, '{}', ${userId}, '[]', i, 1, 1, 'separate' FROM n`,
    )
      .bind(from, to, account, own.tenant.orgId)
      .run();
  const cost = (id: string) =>
    rowsOf('rows_read', () =>
      store(id, { email: SECOND_EMAIL, carries: userId === 'NULL' ? 'u' : userId.slice(1, -1) }),
    );
  await fill(1, 300);
  const few = await cost(FIRST);
  await fill(301, 3_000);
  const many = await cost(SECOND);
  expect(many).toBeLessThan(1.5 * few);
});
