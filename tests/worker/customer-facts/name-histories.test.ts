// Random histories of names: customers created by API in a test and a live environment with emails and user IDs, Stripe customers of four
// accounts with emails and metadata, calls and people that join and separate them, deletions and new ones in their place, accounts that cease
// to name a metadata key and name it again. After every round the facts of each name, checks of some, what ledgers were told and who is
// joined by the log are compared with a plain reference; in the end the rows of the list with those derived again. What Stripe says is stored as a
// webhook stores it.
// An organisation of up to 100 families of names has a seed; the first one is VITE_NAME_SEED (1), and VITE_NAME_HISTORIES (3) families
// follow.
import { env, exports } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { AccessChecksAnswer } from '#contracts/public/access';
import type { CustomerAnswer } from '#contracts/public/customers';
import { explainNames } from '#engine/access/explain-names';
import { factsForIdentifier, subscriptionsOf } from '#engine/entitlements/namesakes';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { eventually } from '#tests/support/eventually';
import { acceptConsole } from '#tests/support/expect-console';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { someCustomerId, subscribed } from '#tests/support/stripe-customers';
import { storedIntegration, storedProduct } from '#tests/support/stripe-rows';
import { publishAll } from '#tests/support/tenants';
import { toldFacts } from '#tests/support/told-facts';
import { openDatabase } from '#worker/db/database';
import { findNameOwners, nameOwner } from '#worker/domains/customer-facts/customer-names';
import { loadFactsOfMany } from '#worker/domains/customer-facts/load-customer-facts';
import { renewKnownCustomers, startRenewal } from '#worker/domains/customers/list/renew-known-customers';
import type { CustomerReading } from '#worker/domains/integrations/stripe/sync/apply-customers';
import { storeReadings } from '#worker/domains/integrations/stripe/sync/refresh-customer';
import type { StripeSource } from '#worker/domains/integrations/stripe/sync/stripe-source';
import { workContext } from '#worker/http/make-work-context';
import {
  type CreatedModel,
  decideOwner,
  type EnvironmentModel,
  type Expected,
  expectedOf,
  type FamilyModel,
  linkEmail,
  ownerInAny,
  type StripeModel,
  seenIn,
  whoIs,
} from './name-reference.ts';

const HISTORIES = Number(import.meta.env.VITE_NAME_HISTORIES ?? 3);
const FIRST_SEED = Number(import.meta.env.VITE_NAME_SEED ?? 1);
const FAMILIES = Math.min(HISTORIES, 100);
const ROUNDS = HISTORIES < 10 ? 4 : 8;
/** Families whose names are checked in a round, in place of their facts. */
const CHECKED = 5;
/** Families that change at once, and names in one call: strangers’ ledgers are built for each. */
const AT_ONCE = 10;
const TIMEOUT_MS = 7_200_000;

interface Account {
  readonly integrationId: string;
  readonly name: string;
  readonly isLive: boolean;
  readonly plans: readonly string[];
}

interface World {
  readonly seed: number;
  readonly own: Provisioner;
  readonly accounts: readonly Account[];
  /** Names of accounts that name no metadata key at the moment. */
  readonly unkeyed: Set<string>;
  /** By environment. */
  readonly keys: Readonly<Record<string, string>>;
  readonly environmentIds: Readonly<Record<string, string>>;
  /** By environment and name: as they were read last. */
  readonly facts: Map<string, Map<string, CustomerFacts>>;
}

interface Family extends FamilyModel {
  readonly name: string;
  /** IDs that calls create. */
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  readonly userId: string;
  /** What happened. */
  readonly log: string[];
}

test('after any history, each name is whose docs/names.md says', { timeout: TIMEOUT_MS }, async () => {
  const last = FIRST_SEED + Math.ceil(HISTORIES / FAMILIES) - 1;
  // Long runs share the machine with others: what a check could not read in time is read again.
  if (FAMILIES > 3) acceptConsole('warn', /No time is left to ask D1|usage could not be read/);
  for (let seed = FIRST_SEED; seed <= last; seed++) {
    await play(await newWorld(seed), randomFrom(seed));
    if (seed < last) console.log(`histories of seed ${seed} are as docs/names.md says`);
  }
});

async function play(world: World, random: Random): Promise<void> {
  const families = Array.from({ length: FAMILIES }, (_, index) => newFamily(world, index));
  const before: Known = new Map();
  for (let round = 1; round <= ROUNDS; round++) {
    const where = `VITE_NAME_SEED=${world.seed}, round ${round}`;
    const changes: { readonly family: Family; readonly told: Told | undefined }[] = [];
    for (let from = 0; from < FAMILIES; from += AT_ONCE) {
      const some = families.slice(from, from + AT_ONCE);
      const told = await Promise.all(some.map((family) => change(world, family, random.fork())));
      changes.push(...some.map((family, index) => ({ family, told: told[index] })));
    }
    for (const account of random.shuffle(world.accounts)) {
      await store(
        world,
        account,
        changes.flatMap(({ told }) => (told?.one.account === account.name ? [told.one] : [])),
      );
    }
    for (const { family, told } of changes)
      for (const email of told?.emails ?? []) decideOwner(family, email);
    if (random.next() < 0.4) await changeKey(world, random.pick(world.accounts), families);
    const checked = random.shuffle(families).slice(0, CHECKED);
    await compare(families, where, (open) => factsOf(world, open));
    await compare(families, where, (open) => ownersOf(world, open));
    await compare(checked, where, (open) => answersOf(world, open, random));
    await compare(families, where, (open) => joinsOf(world, open));
    await compare(families, where, (open) => toldOf(world, open));
    expectRisen(world, families, before, where);
  }
  await compare(families, `VITE_NAME_SEED=${world.seed}, list`, (open) => rowsOf(world, open));
  await expectDerived(world, `VITE_NAME_SEED=${world.seed}, list derived again`);
  await disconnect(world, random.pick(world.accounts), families);
  await compare(families, `VITE_NAME_SEED=${world.seed}, disconnected`, (open) => joinsOf(world, open));
}

let lastReadAt = 0;

/** As events do after they have read the customers from Stripe. */
async function store(
  { own }: World,
  { integrationId, isLive: livemode }: Account,
  changed: readonly StripeModel[],
) {
  if (changed.length === 0) return;
  lastReadAt = Math.max(lastReadAt + 1, Date.now());
  const integration = { id: integrationId, orgId: own.tenant.orgId };
  const source = { ctx: workContext(env, Date.now), integration } as unknown as StripeSource;
  const readings = changed.map(
    ({ id, email, metadata, plan, name, createdAt, isDeleted }): CustomerReading => ({
      readAt: lastReadAt,
      customer: {
        ...{ id, livemode, createdAt, isDeleted },
        email: isDeleted ? null : email,
        name: isDeleted ? null : name,
        metadata: metadata === null || isDeleted ? {} : { workspace: metadata },
        subscriptions: isDeleted ? [] : [subscribed(`prod_${plan}`)],
      },
    }),
  );
  expect(await storeReadings(source, readings)).toEqual(changed.map(() => null));
}

interface Found {
  readonly family: Family;
  readonly what: string;
  readonly found: unknown;
  readonly expected: unknown;
}

/** Until none differs. */
async function compare(
  families: readonly Family[],
  where: string,
  read: (open: readonly Family[]) => Promise<Found[]>,
): Promise<void> {
  let open = families;
  await eventually(async () => {
    const all = await read(open);
    const differing = all.filter(({ found, expected }) => JSON.stringify(found) !== JSON.stringify(expected));
    open = [...new Set(differing.map(({ family }) => family))];
    const shown = differing.map(({ family: { log }, ...each }) => ({ ...each, log }));
    expect(shown, where).toEqual([]);
  });
}

type Asked = { readonly family: Family; readonly name: string; readonly expected: Expected };
type Read = (environment: string, asked: readonly Asked[]) => Promise<Found[]>;

/** In each environment, by each name. */
async function byEachName(families: readonly Family[], read: Read): Promise<Found[]> {
  const found = [0, 1].map((index) => {
    const asked = families.flatMap((family) => {
      const environment = family.environments[index] as EnvironmentModel;
      const names = new Set([...family.names, ...seenIn(family, environment).map(({ id }) => id)]);
      return [...names].map((name) => ({ family, name, expected: expectedOf(family, environment, name) }));
    });
    return read(families[0]?.environments[index]?.name ?? '', asked);
  });
  return (await Promise.all(found)).flat();
}

/** What the facts say of each name. */
function factsOf({ own, environmentIds, facts: read }: World, families: readonly Family[]): Promise<Found[]> {
  return byEachName(families, async (environment, asked) => {
    const names = namesOf(families).map(({ name }) => name);
    const facts = await loadFactsOfMany(
      openDatabase(env.DB),
      own.tenant,
      environmentIds[environment] ?? '',
      names,
    );
    read.set(environment, new Map([...(read.get(environment) ?? []), ...facts]));
    return asked.map(({ family, name, expected }) => {
      const customer = facts.get(name)?.aliasOf?.customerId ?? name;
      const theirs = facts.get(customer);
      if (theirs === undefined) throw new Error(`${name} is the alias of a stranger: ${customer}`);
      const identity = { isAuthenticated: true, method: 'identifier', identifier: name } as const;
      const { aliases = [] } = explainNames({ identity, customer, facts: theirs } as never) ?? {};
      const plans = subscriptionsOf(factsForIdentifier(theirs, name)).flatMap(({ productIds }) =>
        productIds.map((productId) => productId.slice('prod_'.length)),
      );
      const found = { customer, plans: [...new Set(plans)].toSorted(), aliases: aliases.toSorted() };
      return { family, what: `facts in ${environment} of ${name}`, found, expected };
    });
  });
}

/** Whose each name is where no environment is asked about, by the rule and by its SQL. */
async function ownersOf({ own }: World, families: readonly Family[]): Promise<Found[]> {
  const db = openDatabase(env.DB);
  const asked = namesOf(families);
  const names = asked.map(({ name }) => name);
  const byRule = await findNameOwners(db, own.tenant.orgId, names);
  const rows = await db.all<{ readonly name: string; readonly owner: string | null }>(
    sql`SELECT n.value AS name, ${nameOwner(own.tenant.orgId, sql`n.value`)} AS owner FROM json_each(${JSON.stringify(names)}) n`,
  );
  const bySql = new Map(rows.map(({ name, owner }) => [name, owner]));
  return asked.map(({ family, name }) => {
    const owner = ownerInAny(family, name) ?? name;
    const found = { rule: byRule.get(name) ?? name, sql: bySql.get(name) ?? name };
    return { family, what: `owner of ${name}`, found, expected: { rule: owner, sql: owner } };
  });
}

/** What checks say of each name, and whom a call about customers finds by a random one of them. */
function answersOf({ keys }: World, families: readonly Family[], random: Random): Promise<Found[]> {
  return byEachName(families, async (environment, asked) => {
    const key = keys[environment] ?? '';
    const results = await checkAll(
      key,
      asked.map(({ name }) => name),
    );
    const found: Found[] = asked.map(({ family, name, expected }, at) => ({
      family,
      what: `check in ${environment} of ${name}`,
      found: results[at],
      expected,
    }));
    const { family, name, expected } = random.pick(asked);
    const { status, body } = await callCustomers<CustomerAnswer>(key, 'GET', `/${name}`);
    const isUnknown = status === 404 && expected.customer === name;
    found.push({
      family,
      what: `GET in ${environment} of ${name}`,
      found: isUnknown ? name : body.customer?.id,
      expected: expected.customer,
    });
    return found;
  });
}

async function checkAll(key: string, names: readonly string[]): Promise<Expected[]> {
  const found: Expected[] = [];
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const checks = names.slice(from, from + AT_ONCE).map((userIdentifier) => ({ userIdentifier }));
    const response = await exports.default.fetch(
      new Request('http://localhost:4001/api/v1/access-checks/batch?explain=1', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ checks }),
      }),
    );
    expect(response.status).toBe(200);
    const { results } = await response.json<AccessChecksAnswer>();
    found.push(...results.map(expectationOf));
  }
  return found;
}

function expectationOf(result: AccessChecksAnswer['results'][number]): Expected {
  if (result.status === 'error') throw new Error(JSON.stringify(result));
  const { customer = '', aliases = [] } = result.names ?? {};
  return { customer, plans: result.customer.plans.toSorted(), aliases: aliases.toSorted() };
}

/** The account ceases to name a metadata key, or names it again; then every stored customer has its user ID by it, or none. */
async function changeKey(
  { own: { tenant }, unkeyed }: World,
  { integrationId, name }: Account,
  families: readonly Family[],
): Promise<void> {
  const userIdKey = unkeyed.delete(name) ? 'workspace' : null;
  if (userIdKey === null) unkeyed.add(name);
  for (const { log } of families) log.push(`${name}: metadata key ${userIdKey}`);
  await tenant.make('PUT', `/integrations/stripe/${integrationId}`, { userIdKey });
  await eventually(async () => expect(await openMessages(`out_user_ids_${integrationId}`)).toBe(0));
}

async function disconnect({ own: { tenant } }: World, account: Account, families: readonly Family[]) {
  await tenant.make('DELETE', `/integrations/stripe/${account.integrationId}`);
  for (const { stripe } of families)
    for (const each of stripe) if (each.account === account.name) each.isDeleted = true;
}

async function openMessages(id: string): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS total FROM outbox WHERE id = ?')
    .bind(id)
    .first<{ total: number }>();
  return row?.total ?? 0;
}

const accountOf = (accounts: readonly Account[], { account }: StripeModel) =>
  accounts.find(({ name }) => name === account) as Account;

interface Logged {
  readonly action: string;
  readonly targetId: string;
  readonly isByService: number;
  readonly detail: string;
}

/** Who is joined by the log from its beginning. What the service logs by itself is a change each time. */
async function joinsOf(
  { own, accounts, environmentIds }: World,
  families: readonly Family[],
): Promise<Found[]> {
  const { results } = await env.DB.prepare(
    `SELECT action, target_id AS targetId, actor_user_id IS NULL AND actor_key IS NULL AS isByService, detail FROM audit_log
      WHERE org_id = ? AND action IN ('customer.joined', 'customer.separated') ORDER BY rowid`,
  )
    .bind(own.tenant.orgId)
    .all<Logged>();
  const [joined, idle] = [new Set<string>(), new Set<string>()];
  for (const { action, targetId, isByService, detail } of results) {
    const { environmentId, integrationId, customerId, by } = JSON.parse(detail);
    const pair = `${environmentId} ${targetId} ${integrationId} ${customerId}`;
    const isJoined = action === 'customer.joined';
    if (isByService === 1 && joined.has(pair) === isJoined)
      idle.add(`${targetId} ${action} ${customerId} ${by}`);
    joined[isJoined ? 'add' : 'delete'](pair);
  }
  const isTheirs =
    ({ ids }: Family) =>
    (text: string) =>
      ids.some((id) => text.split(' ').includes(id));
  return families.flatMap((family): Found[] => {
    const expected = family.environments.flatMap((environment) =>
      seenIn(family, environment).flatMap((one) => {
        const who = whoIs(family, environment, one);
        const { integrationId } = accountOf(accounts, one);
        return who === one.id
          ? []
          : [`${environmentIds[environment.name]} ${who} ${integrationId} ${one.id}`];
      }),
    );
    const found = [...joined].filter(isTheirs(family)).toSorted();
    return [
      { family, what: 'joined by the log', found, expected: expected.toSorted() },
      { family, what: 'logged without a change', found: [...idle].filter(isTheirs(family)), expected: [] },
    ];
  });
}

/** What the ledgers know that have been told of a name, beside the facts of the name. */
async function toldOf({ environmentIds, facts }: World, families: readonly Family[]): Promise<Found[]> {
  const asked = namesOf(families);
  const found: Found[] = [];
  for (const [environment, ofNames] of facts) {
    const names = asked.map(({ name }) => name);
    const told = await toldFacts(environmentIds[environment] ?? '', names);
    for (const { family, name } of asked) {
      const [known, now] = [told.get(name), ofNames.get(name)];
      if (known === undefined || now === undefined) continue;
      // What changes no facts, such as another account's metadata key, raises the version of all and is told to none.
      const expected = { ...now, version: known.version };
      found.push({ family, what: `the ledger in ${environment} of ${name}`, found: known, expected });
    }
  }
  return found;
}

/** By environment and name: what the facts were, and their version. */
type Known = Map<string, { readonly version: number; readonly rest: string }>;

/** The version of facts that differ from those of the round before is higher, and no version falls. */
function expectRisen({ facts }: World, families: readonly Family[], before: Known, where: string): void {
  for (const [environment, ofNames] of facts)
    for (const { family, name } of namesOf(families)) {
      const { version = 0, ...others } = ofNames.get(name) ?? {};
      const [key, rest] = [`${environment} ${name}`, JSON.stringify(others)];
      const former = before.get(key);
      const least = former === undefined ? 0 : former.version + (former.rest === rest ? 0 : 1);
      if (version < least)
        expect.fail(`${where}: version of ${key} is ${version}, at least ${least} is expected:
          ${former?.rest} became ${rest}: ${JSON.stringify(family.log)}`);
      before.set(key, { version, rest });
    }
}

/** Every name of the families, by each Stripe customer's ID, too. */
const namesOf = (families: readonly Family[]) =>
  families.flatMap((family) =>
    [...new Set([...family.names, ...family.stripe.map(({ id }) => id)])].map((name) => ({ family, name })),
  );

/** The rows of the list that a search for the family finds: a name that is another customer's has none. */
async function rowsOf({ own }: World, families: readonly Family[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const family of families) {
    const { name, names, ids, stripe, environments } = family;
    const atStripe = new Set(stripe.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id));
    const isOwn = (each: string) => (ownerInAny(family, each) ?? each) === each;
    const created = ids.filter((id) =>
      environments.some((each) => each.created.some((one) => one.id === id)),
    );
    const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${name}`);
    // Others that called have rows for a while.
    const listed = items.map(({ identifier }) => identifier);
    const mayCall = (each: string) => names.includes(each) && !created.includes(each) && isOwn(each);
    found.push({
      family,
      what: 'list',
      found: listed.filter((each) => !mayCall(each)).toSorted(),
      expected: [...[...atStripe].filter(isOwn), ...created].toSorted(),
    });
  }
  return found;
}

/** Each change has left the rows of the list, and the words by which they are found, as they are when all are derived again. */
async function expectDerived({ own: { tenant } }: World, where: string): Promise<void> {
  const db = openDatabase(env.DB);
  const of = (columns: string, table: string) =>
    db.all(sql`SELECT ${sql.raw(columns)} FROM ${sql.raw(table)} WHERE org_id = ${tenant.orgId}`);
  await eventually(async () => expect(await of('type', 'outbox')).toEqual([]));
  const columns = `identifier, integration_id, livemode, name, email, is_past_due, granted_until, overridden_until, words`;
  const rows = () => of(columns, 'known_customer');
  const before = await rows();
  await startRenewal({ db });
  const isUnfinished = async () => (await db.all(sql`SELECT 1 FROM customer_word_renewal`)).length > 0;
  while (await isUnfinished()) await renewKnownCustomers(workContext(env, Date.now));
  expect(await rows(), where).toEqual(before);
}

async function newWorld(seed: number): Promise<World> {
  const own = await provisioner();
  const accounts: Account[] = [];
  for (const [name, isLive] of [
    ['one', false],
    ['two', true],
    ['three', false],
    ['four', true],
  ] as const)
    accounts.push(await newAccount(own, name, isLive));
  const version = await own.tenant.make<Artifact>('POST', '/artifacts', {});
  const live = await own.tenant.make<Environment>('POST', '/environments', { name: 'Shop', type: 'live' });
  await own.tenant.make('PUT', `/deployments/${live.id}/artifact`, { artifactId: version.id });
  const liveKey = await own.tenant.make<{ value: string }>('POST', '/api-keys', {
    environmentId: live.id,
    type: 'secret',
    name: 'Shop',
    managesCustomers: true,
  });
  await publishAll(own.tenant);
  return {
    seed,
    own,
    accounts,
    unkeyed: new Set(),
    keys: { preview: own.managing.value, live: liveKey.value },
    environmentIds: { preview: own.previewId, live: live.id },
    facts: new Map(),
  };
}

async function newAccount({ tenant }: Provisioner, name: string, isLive: boolean): Promise<Account> {
  const integrationId = await storedIntegration(tenant, isLive);
  const plans = [`${name}-basic`, `${name}-pro`];
  for (const plan of plans) {
    const product = await storedProduct(tenant, integrationId, `prod_${plan}`);
    const { planId } = await tenant.make<{ planId: string }>('POST', '/plans', { name: plan, slug: plan });
    await tenant.make('PUT', `/plans/${planId}/products`, { addProducts: [{ ...product, version: 1 }] });
  }
  await env.DB.prepare(
    "UPDATE stripe_integration SET user_id_key = 'workspace', user_ids_ready = 1 WHERE id = ?",
  )
    .bind(integrationId)
    .run();
  return { integrationId, name, isLive, plans };
}

function newFamily({ seed, unkeyed }: World, index: number): Family {
  const name = `ws-${seed}-${String(index).padStart(3, '0')}`;
  const ids = [name, `${name}.2`];
  const emails = [`${name}.a@tests.example`, `${name}.b@tests.example`];
  const userId = `${name}.user`;
  const environments = [
    { name: 'preview', isLive: false, created: [] },
    { name: 'live', isLive: true, created: [] },
  ];
  return {
    name,
    ids,
    emails,
    userId,
    names: [...ids, ...emails, userId],
    stripe: [],
    environments,
    unkeyed,
    log: [],
  };
}

/** What Stripe says of a customer, and the emails that it says something new of. */
interface Told {
  readonly one: StripeModel;
  readonly emails: readonly string[];
}

/** One random change. @returns what Stripe says, if anything */
async function change(world: World, family: Family, random: Random): Promise<Told | undefined> {
  const { stripe, environments } = family;
  const present = stripe.filter(({ isDeleted }) => !isDeleted);
  const environment = random.pick(environments);
  if (random.next() < 0.1) await override(world, family, random);
  const dice = random.next();
  if (dice < 0.3 && present.length < 5) return addToStripe(world, family, random);
  if (dice < 0.5) await save(world, family, environment, random);
  else if (dice < 0.72 && stripe.length > 0) await join(world, family, environment, random);
  else if (dice < 0.77) await separate(world, family, environment, random);
  else if (dice < 0.87) await link(world, family, random);
  else if (present.length > 0) return changeAtStripe(family, random.pick(present), random);
}

function addToStripe(world: World, family: Family, random: Random): Told {
  const { stripe, ids, emails, userId } = family;
  const { name: account, isLive, plans } = random.pick(world.accounts);
  const email = random.pick([...emails, null]);
  const metadata = random.pick([ids[0], ids[0], ids[1], userId, null]) ?? null;
  // Organisations choose IDs, so several accounts may have one.
  const free = stripe.filter(({ id }) => !stripe.some((each) => each.id === id && each.account === account));
  const id = free.length > 0 && random.next() < 0.25 ? random.pick(free).id : someCustomerId();
  const now = Date.now();
  const one: StripeModel = {
    ...{ id, name: `${family.name}. ${stripe.length}`, account, isLive, email, metadata },
    plan: random.pick(plans),
    createdAt: now,
    emailAt: now,
    isDeleted: false,
  };
  stripe.push(one);
  family.log.push(JSON.stringify(one));
  return { one, emails: email === null ? [] : [email] };
}

function changeAtStripe(family: Family, one: StripeModel, random: Random): Told {
  const before = one.email;
  const dice = random.next();
  if (dice < 0.4) one.metadata = random.pick([family.ids[0], family.ids[1], family.userId, null]) ?? null;
  else if (dice < 0.6) one.email = random.pick([...family.emails, null]);
  else one.isDeleted = true;
  if (one.isDeleted || one.email !== before) {
    delete one.role;
    one.emailAt = Date.now();
  }
  family.log.push(JSON.stringify(one));
  return { one, emails: [...new Set([before, one.email])].flatMap((email) => email ?? []) };
}

/** Of an email it would be data of its own: then no Stripe customer owns it. */
async function override({ own }: World, { ids, userId, stripe, log }: Family, random: Random) {
  const name = random.pick([...ids, userId, ...stripe.map(({ id }) => id)]);
  await own.override(name, own.seats.id, random.below(1_000));
  log.push(`override of ${name}`);
}

/** A person says which of those that have an email owns it, and then another one, if it is shared: the last link wins. */
async function link(world: World, family: Family, random: Random) {
  const having = family.stripe.filter(({ email, isDeleted }) => email !== null && !isDeleted);
  const [shared] = [...Map.groupBy(having, ({ email }) => email).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  for (const one of random.shuffle(shared ?? []).slice(0, 2))
    await linkTo(world, family, one, one.email ?? '');
}

async function linkTo(world: World, family: Family, one: StripeModel, email: string) {
  const { integrationId } = accountOf(world.accounts, one);
  await world.own.tenant.make('PUT', world.own.path(email, '/link'), { integrationId, customerId: one.id });
  family.log.push(`${email} linked to ${one.account} ${one.id}`);
  linkEmail(family, one, email);
}

/** Whom a call means: a created customer of which the name is one already, or the one that it creates. */
function targetOf(family: Family, environment: EnvironmentModel, id: string) {
  const { customer } = expectedOf(family, environment, id);
  const known = environment.created.find((each) => each.id === customer);
  const target: CreatedModel = known ?? { id, email: null, userId: null, said: new Map() };
  return { target, created: () => known === undefined && environment.created.push(target) };
}

/** Creates a customer, or gives it an email or a user ID. */
async function save({ keys }: World, family: Family, environment: EnvironmentModel, random: Random) {
  const id = random.pick(family.ids);
  const { target, created } = targetOf(family, environment, id);
  const given: { email?: string | null; userId?: string | null } = random.pick([
    {},
    { email: random.pick([...family.emails, null]) },
    { userId: random.pick([family.userId, null]) },
  ]);
  const { status, body } = await callCustomers(keys[environment.name] ?? '', 'PUT', `/${id}`, given);
  family.log.push(`${environment.name}: ${id} saved ${JSON.stringify(given)} ${status} ${body.code ?? ''}`);
  if (status === 200) {
    created();
    // An email that is its Stripe customer's, and that others have too, stays as it was.
    if (body.ignored === undefined) Object.assign(target, given);
  } else
    expect([status, body.code]).toEqual([
      409,
      expect.stringMatching(/^(email-taken|email-has-data|user-id-taken)$/),
    ]);
}

/** A call or a person says which Stripe customer it is. */
async function join(world: World, family: Family, environment: EnvironmentModel, random: Random) {
  const id = random.pick(family.ids);
  const one = random.pick(family.stripe);
  const { target, created } = targetOf(family, environment, id);
  const isUnknown = !seenIn(family, environment).includes(one);
  const isTaken = environment.created.some(
    (each) => each !== target && each.said.get(one.account) === one.id,
  );
  const { integrationId } = accountOf(world.accounts, one);
  const source = { integrationId, customerId: one.id };
  const isByPerson = environment.created.includes(target) && random.next() < 0.4;
  const status = isByPerson
    ? await world.own.tenant
        .call('PUT', world.own.path(target.id, '/sources'), {
          environmentId: world.environmentIds[environment.name],
          ...source,
        })
        .then((answer) => answer.status)
    : (await callCustomers(world.keys[environment.name] ?? '', 'PUT', `/${id}`, { stripe: source })).status;
  family.log.push(`${environment.name}: ${id} joined ${one.id} ${isByPerson ? 'by a person' : ''} ${status}`);
  expect(status, JSON.stringify(family.log)).toBe(isUnknown ? 400 : isTaken ? 409 : 200);
  if (status !== 200) return;
  created();
  target.said.set(one.account, one.id);
}

async function separate(world: World, family: Family, environment: EnvironmentModel, random: Random) {
  if (environment.created.length === 0) return;
  const target = random.pick(environment.created);
  const isByPerson = random.next() < 0.4;
  const environmentId = world.environmentIds[environment.name];
  if (!isByPerson) {
    const key = world.keys[environment.name] ?? '';
    const { status } = await callCustomers(key, 'PUT', `/${target.id}`, { stripe: null });
    family.log.push(`${environment.name}: ${target.id} separated ${status}`);
    expect(status).toBe(200);
    target.said.clear();
    return;
  }
  if (target.said.size === 0) return;
  const [account, customerId] = random.pick([...target.said]);
  const { integrationId } = world.accounts.find(({ name }) => name === account) as Account;
  const path = `/environments/${environmentId}/sources/${integrationId}/${customerId}`;
  const { status } = await world.own.tenant.call('DELETE', world.own.path(target.id, path));
  family.log.push(`${environment.name}: ${target.id} separated from ${customerId} ${status}`);
  expect(status).toBe(204);
  target.said.delete(account);
}
