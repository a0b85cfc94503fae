import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { CallerFacts, CustomerFacts } from '#contracts/internal/customer-facts';
import type { LedgerAnswer } from '#contracts/internal/ledger';
import { DAY_MS } from '#engine/durations';
import { NO_FACTS, UNKNOWN_FACTS } from '#engine/entitlements/no-facts';
import { ledgerStub } from '#objects/stubs';
import { evict } from '#tests/support/evict';
import { NOW, TestEnvironment, update } from './ledger-calls.ts';

const granted = (version: number): CustomerFacts => ({
  version,
  overrides: [],
  grants: [{ planId: `plan_${version}`, until: null }],
});

const named = (version: number): CustomerFacts => ({
  version,
  grants: [],
  overrides: [],
  aliasOf: { integrationId: 'int_1', customerId: 'cus_1' },
});

async function ask(
  environment: TestEnvironment,
  facts: CallerFacts,
  updates = [] as ReturnType<typeof update>[],
) {
  const place = { ...environment.site('weur'), customer: 'ada', shards: 1 };
  const { ledger, site } = await ledgerStub(env, place);
  return ledger.answer({ site, customer: 'ada', now: NOW, updates, reads: [], facts });
}

async function tokenOf(environment: TestEnvironment): Promise<string> {
  const answer = await ask(environment, { version: 0 });
  if (answer.kind !== 'answered' || answer.facts?.kind !== 'unknown')
    throw new Error('The ledger knows the customer');
  return answer.facts.token;
}

const updateIn = (answer: LedgerAnswer) => (answer.kind === 'answered' ? answer.facts : undefined);

it("a ledger loads a customer once, and then sends an update only if the caller's facts are older", async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  expect(
    updateIn(await ask(environment, { version: 3, loaded: { token, facts: granted(3) } })),
  ).toBeUndefined();
  expect(updateIn(await ask(environment, { version: 3 }))).toBeUndefined();
  expect(updateIn(await ask(environment, { version: 4 }))).toBeUndefined();
  expect(updateIn(await ask(environment, { version: 2 }))).toEqual({ kind: 'newer', facts: granted(3) });
});

it('a ledger also knows that a customer has no facts', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 0, loaded: { token, facts: NO_FACTS } });
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
  await (await environment.ledger('weur')).pushFacts('ada', granted(1));
  expect(updateIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: granted(1) });
});

/** That Ada has none, as of a version, is known. */
async function withoutFacts(version: number): Promise<TestEnvironment> {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version, loaded: { token, facts: { ...NO_FACTS, version } } });
  return environment;
}

/** Rows of customers without facts, and when the alarm comes. */
const stored = async (environment: TestEnvironment) =>
  runInDurableObject(await environment.ledger('weur'), async (_object, { storage }) => ({
    rows: storage.sql.exec('SELECT customer, version FROM no_facts').toArray(),
    alarmAt: await storage.getAlarm(),
  }));

it('a ledger also knows after it has slept that a customer has no facts, and updates reach it', async () => {
  const environment = await withoutFacts(5);
  const ledger = await environment.ledger('weur');
  await evict(ledger);
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
  await evict(ledger);
  expect(await ledger.knownCustomers(['ada', 'ben'])).toEqual(['ada']);
  await ledger.pushFacts('ada', granted(4));
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
  await ledger.pushFacts('ada', granted(6));
  await evict(ledger);
  expect(updateIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: granted(6) });
  await ledger.pushFacts('ada', { ...NO_FACTS, version: 7 });
  await evict(ledger);
  await ledger.pushFacts('ada', granted(6));
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
});

it('it forgets that after a day or two, and then nothing of it is left', async () => {
  const environment = await withoutFacts(5);
  const { rows, alarmAt } = await stored(environment);
  expect(rows).toEqual([{ customer: 'ada', version: 5 }]);
  expect(alarmAt).toBeGreaterThan(Date.now() + DAY_MS);
  expect(alarmAt).toBeLessThanOrEqual(Date.now() + 2 * DAY_MS);
  const ledger = await environment.ledger('weur');
  await evict(ledger);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Number(alarmAt) };
  });
  expect(updateIn(await ask(environment, { version: 0 }))).toMatchObject({ kind: 'unknown' });
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
  expect(await stored(environment)).toEqual({ rows: [], alarmAt: null });
});

it('a disabled location keeps no such rows', async () => {
  const environment = await withoutFacts(5);
  environment.generation = 2;
  await (await environment.ledger('weur')).drain({ ...environment.site('weur'), locations: ['enam'] });
  expect(await ask(environment, { version: 5, loaded: { token: '', facts: NO_FACTS } })).toMatchObject({
    kind: 'moved',
  });
  expect((await stored(environment)).rows).toEqual([]);
});

it('an update pushed while a caller loads wins over the older facts that the caller loaded', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await (await environment.ledger('weur')).pushFacts('ada', granted(2));
  const answer = await ask(environment, { version: 1, loaded: { token, facts: granted(1) } });
  expect(updateIn(answer)).toEqual({ kind: 'newer', facts: granted(2) });
});

it('a token from before an eviction is not valid after it: an update may have been missed', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await evict(await environment.ledger('weur'));
  await (await environment.ledger('weur')).pushFacts('ada', granted(2));
  const answer = await ask(environment, { version: 1, loaded: { token, facts: granted(1) } });
  expect(updateIn(answer)).toMatchObject({ kind: 'unknown' });
});

it('nothing is counted against a value that was computed from outdated facts', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 2, loaded: { token, facts: granted(2) } });
  expect(await ask(environment, { version: 1 }, [update({ by: 5 })])).toEqual({
    kind: 'outdated',
    facts: { kind: 'newer', facts: granted(2) },
  });
  expect(await environment.used('weur')).toBe(0);
  await ask(environment, { version: 2 }, [update({ by: 5 })]);
  expect(await environment.used('weur')).toBe(5);
});

it('a disabled location has no facts when it is enabled again', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 2, loaded: { token, facts: granted(2) } });
  const ledger = await environment.ledger('weur');
  environment.generation = 2;
  await ledger.drain({ ...environment.site('weur'), locations: ['enam'] });
  environment.generation = 3;
  expect(updateIn(await ask(environment, { version: 2 }))).toMatchObject({ kind: 'unknown' });
});

it('an alias pushed while a caller loads wins over the older facts that the caller loaded', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  const ledger = await environment.ledger('weur');
  await ledger.pushFacts('ada', named(2_000));
  const answer = await ask(environment, { version: 1_000, loaded: { token, facts: granted(1_000) } });
  expect(updateIn(answer)).toEqual({ kind: 'newer', facts: named(2_000) });
  await ledger.pushFacts('ada', { ...granted(1_500), aliasOf: null });
  expect(updateIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: named(2_000) });
  await ledger.pushFacts('ada', { ...NO_FACTS, version: 3_000, aliasOf: null });
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
});

it('for a known customer, newer facts of a caller replace the stored ones without a token, and older ones do not', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 1_000, loaded: { token, facts: named(1_000) } });
  const learn = (facts: CustomerFacts) =>
    ask(environment, { version: facts.version, loaded: { token: '', facts } });
  expect(updateIn(await learn(granted(2_000)))).toBeUndefined();
  expect(updateIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: granted(2_000) });
  expect(updateIn(await learn(named(1_500)))).toEqual({ kind: 'newer', facts: granted(2_000) });
});

it('a caller with unknown facts also gets the update that there are none', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 0, loaded: { token, facts: NO_FACTS } });
  expect(updateIn(await ask(environment, { version: 0 }))).toBeUndefined();
  expect(await ask(environment, { version: UNKNOWN_FACTS.version }, [update({ by: 5 })])).toEqual({
    kind: 'outdated',
    facts: { kind: 'newer', facts: NO_FACTS },
  });
  expect(await environment.used('weur')).toBe(0);
});
