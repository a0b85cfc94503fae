// Random histories of names: customers created by API in a test and a live environment, Stripe customers of three accounts with emails and
// metadata, calls that join and separate them, and deletions, compared with a plain reference after every round. An organisation of up to
// 12 families of names has a seed; the first one is VITE_NAME_SEED (1), and VITE_NAME_HISTORIES (3) families follow.
import { expect, test } from 'vitest';
import type { Artifact } from '#contracts/console/artifacts';
import type { CustomerList } from '#contracts/console/customer-list';
import type { Environment } from '#contracts/console/environments';
import type { CustomerAnswer } from '#contracts/public/customers';
import { check } from '#tests/support/access-checks';
import { eventually } from '#tests/support/eventually';
import { callCustomers, type Provisioner, provisioner } from '#tests/support/provisioning';
import { type ConnectedTenant, connectedTenant } from '#tests/support/stripe-integrations';
import { publishAll } from '#tests/support/tenants';
import { type Random, randomFrom } from '../../chaos/workers/random.ts';
import {
  decideOwner,
  type EnvironmentModel,
  expectedOf,
  type FamilyModel,
  type StripeModel,
} from './name-reference.ts';

const HISTORIES = Number(import.meta.env.VITE_NAME_HISTORIES ?? 3);
const FIRST_SEED = Number(import.meta.env.VITE_NAME_SEED ?? 1);
const FAMILIES = Math.min(HISTORIES, 12);
const ROUNDS = HISTORIES > 12 ? 8 : 4;
const TIMEOUT_MS = 7_200_000;

interface Account {
  readonly connected: ConnectedTenant;
  readonly isLive: boolean;
  readonly price: string;
  readonly plan: string;
}

test('after any history, each name is whose docs/names.md says', { timeout: TIMEOUT_MS }, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + Math.ceil(HISTORIES / FAMILIES); seed++) await play(seed);
});

async function play(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const own = await provisioner();
  const accounts = [
    await newAccount(own, 'one', 'test'),
    await newAccount(own, 'two', 'live'),
    await newAccount(own, 'three', 'test'),
  ];
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
  const keys: Record<string, string> = { preview: own.managing.value, live: liveKey.value };
  const families = Array.from({ length: FAMILIES }, (_, index): FamilyModel => {
    const environment = (name: string, isLive: boolean): EnvironmentModel => ({
      name,
      isLive,
      created: null,
      said: new Map(),
    });
    return {
      name: `ws-${seed}-${index}`,
      stripe: [],
      environments: [environment('preview', false), environment('live', true)],
      owners: [],
    };
  });
  const told = new Map<string, string[]>(families.map(({ name }) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    const touched: (readonly [FamilyModel, string])[] = [];
    await Promise.all(
      families.map(async (family) => {
        const log = told.get(family.name) ?? [];
        const emails = await change(family, { accounts, keys, random: random.fork(), log });
        touched.push(...emails.map((email) => [family, email] as const));
      }),
    );
    for (const { connected } of accounts) await connected.deliver();
    for (const [family, email] of touched) decideOwner(family, email);
    await eventually(async () => {
      const differing: unknown[] = [];
      for (const family of families) {
        const found = await differencesOf(family, keys);
        if (found.length > 0) differing.push({ found, told: told.get(family.name) });
      }
      expect(differing, `VITE_NAME_SEED=${seed}, round ${round}`).toEqual([]);
    });
  }
  await eventually(async () => {
    for (const family of families) {
      const expected = listedOf(family);
      const { items } = await own.tenant.make<CustomerList>('GET', `/customers?query=${family.name}.`);
      const { items: byName } = await own.tenant.make<CustomerList>('GET', `/customers?query=${family.name}`);
      const found = new Set([...items, ...byName].map(({ identifier }) => identifier));
      const those = [...found].filter(
        (each) => each === family.name || family.stripe.some(({ id }) => id === each),
      );
      expect([those.toSorted(), told.get(family.name)], `VITE_NAME_SEED=${seed}, list`).toEqual([
        expected,
        told.get(family.name),
      ]);
    }
  });
}

/** A Stripe customer that is a created one in an environment of its mode has no row of its own. */
function listedOf(family: FamilyModel): string[] {
  const { name, environments, stripe } = family;
  const isJoined = ({ id, isLive }: StripeModel) =>
    environments.some(
      (each) =>
        each.isLive === isLive && each.created !== null && expectedOf(family, each, id).customer === name,
    );
  const own = stripe.filter((each) => !each.isDeleted && !isJoined(each)).map(({ id }) => id);
  return [...own, ...(environments.some(({ created }) => created !== null) ? [name] : [])].toSorted();
}

async function newAccount(own: Provisioner, name: string, mode: 'test' | 'live'): Promise<Account> {
  const connected = await connectedTenant({ tenant: own.tenant, mode });
  const { productId, priceId } = await connected.account.newProduct(name, { mode });
  await connected.sync('stripe-product');
  const { planId } = await own.tenant.make<{ planId: string }>('POST', '/plans', { name, slug: name });
  await own.tenant.make('PUT', `/plans/${planId}/products`, {
    addProducts: [{ integrationId: connected.integration.id, productId, version: 1 }],
  });
  await own.tenant.make('PUT', connected.path, { userIdKey: 'workspace' });
  await eventually(async () => expect((await connected.read()).userIdsReady).toBe(true));
  return { connected, isLive: mode === 'live', price: priceId, plan: name };
}

interface Means {
  readonly accounts: readonly Account[];
  readonly keys: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly log: string[];
}

/** One random change. @returns emails of which Stripe says something new */
async function change(family: FamilyModel, { accounts, keys, random, log }: Means): Promise<string[]> {
  const { name, stripe, environments } = family;
  const environment = random.pick(environments);
  const key = keys[environment.name] ?? '';
  const present = stripe.filter(({ isDeleted }) => !isDeleted);
  const accountOf = (id: string) => accounts.find(({ plan }) => plan === id) as Account;
  const clientOf = ({ connected, isLive }: Account) => connected.account.client(isLive ? 'live' : 'test');
  const dice = random.next();
  if (dice < 0.35 && present.length < 4) {
    const account = random.pick(accounts);
    // One of each mode has an email, so that which of them comes first is never in doubt.
    const email = random.pick([`${name}.a@tests.example`, `${name}.b@tests.example`, null]);
    const isFree = !stripe.some((each) => each.email === email && each.isLive === account.isLive);
    const metadata = random.next() < 0.6 ? name : null;
    const given = {
      name: `${name}. ${stripe.length}`,
      ...(email !== null && isFree && { email }),
      ...(metadata !== null && { metadata: { workspace: metadata } }),
    };
    const { id } = await clientOf(account).customers.create(given);
    await clientOf(account).subscriptions.create({ customer: id, items: [{ price: account.price }] });
    stripe.push({
      id,
      account: account.plan,
      isLive: account.isLive,
      email: isFree ? email : null,
      metadata,
      plan: account.plan,
      isDeleted: false,
    });
    log.push(`${id} in ${account.plan}: ${JSON.stringify(given)}`);
    return isFree && email !== null ? [email] : [];
  }
  if (dice < 0.55) {
    const email = environment.created === null && random.next() < 0.4 ? `${name}.a@tests.example` : undefined;
    const { status, body } = await callCustomers(key, 'PUT', `/${name}`, { ...(email && { email }) });
    log.push(`${environment.name}: created ${email ?? ''} ${status} ${body.code ?? ''}`);
    if (status === 200) environment.created ??= { email: email ?? null };
    else expect([status, body.code]).toEqual([409, expect.stringMatching(/^email-(taken|has-data)$/)]);
    return [];
  }
  const one = present.length === 0 ? undefined : random.pick(present);
  if (one === undefined) return [];
  if (dice < 0.7) {
    const source = { integrationId: accountOf(one.account).connected.integration.id, customerId: one.id };
    const { status, body } = await callCustomers(key, 'PUT', `/${name}`, { stripe: source });
    log.push(`${environment.name}: joined ${one.id} ${status} ${body.code ?? ''}`);
    expect(status).toBe(environment.isLive && !one.isLive ? 400 : 200);
    if (status !== 200) return [];
    environment.created ??= { email: null };
    environment.said.set(one.account, one.id);
    return [];
  }
  if (dice < 0.8) {
    if (environment.created === null) return [];
    const { status } = await callCustomers(key, 'PUT', `/${name}`, { stripe: null });
    log.push(`${environment.name}: separated ${status}`);
    environment.said.clear();
    return [];
  }
  if (dice < 0.9) {
    const metadata = one.metadata === null ? name : null;
    await clientOf(accountOf(one.account)).customers.update(one.id, {
      metadata: { workspace: metadata ?? '' },
    });
    one.metadata = metadata;
    log.push(`${one.id} has metadata ${metadata}`);
    return one.email === null ? [] : [one.email];
  }
  await clientOf(accountOf(one.account)).customers.del(one.id);
  one.isDeleted = true;
  log.push(`${one.id} is deleted`);
  return one.email === null ? [] : [one.email];
}

async function differencesOf(family: FamilyModel, keys: Readonly<Record<string, string>>) {
  const emails = family.stripe.flatMap(({ email }) => email ?? []);
  const ids = family.stripe.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
  const names = [...new Set([family.name, ...ids, ...emails])];
  const found: unknown[] = [];
  for (const environment of family.environments) {
    const key = keys[environment.name] ?? '';
    await Promise.all(
      names.map(async (name) => {
        const expected = expectedOf(family, environment, name);
        if (environment.isLive && family.stripe.some((each) => each.id === name && !each.isLive)) return;
        const [answer, { status, body }] = await Promise.all([
          check(key, { userIdentifier: name }),
          callCustomers<CustomerAnswer>(key, 'GET', `/${name}`),
        ]);
        const customer = expected.customer === null || status !== 200 ? null : body.customer.id;
        const answered = { customer, plans: answer.customer.plans.toSorted() };
        if (JSON.stringify(answered) !== JSON.stringify(expected))
          found.push({ environment: environment.name, name, answered, expected });
      }),
    );
  }
  return found;
}
