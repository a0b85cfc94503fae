import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type CustomerFacts, type FactsInUse, NO_FACTS, UNHEARD_FACTS } from '#contracts/customer-facts';
import type { LedgerAnswer } from '#contracts/ledger';
import { ledgerStub } from '#objects/stubs';
import { NOW, TestEnvironment, update } from './ledger-calls.ts';

const granted = (version: number): CustomerFacts => ({
  ...{ version, overrides: [] },
  grants: [{ planId: `plan_${version}`, until: null }],
});

const named = (version: number): CustomerFacts => ({
  ...{ version, grants: [], overrides: [] },
  nameOf: { integrationId: 'int_1', customerId: 'cus_1' },
});

async function ask(
  environment: TestEnvironment,
  facts: FactsInUse,
  updates = [] as ReturnType<typeof update>[],
) {
  const place = { ...environment.site('weur'), customer: 'ada', shards: 1 };
  const { ledger, site } = await ledgerStub(env, place);
  return ledger.answer({ site, customer: 'ada', now: NOW, updates, reads: [], facts });
}

async function tokenOf(environment: TestEnvironment): Promise<string> {
  const answer = await ask(environment, { version: 0 });
  if (answer.kind !== 'answered' || answer.facts?.kind !== 'unknown')
    throw new Error('It knows the customer');
  return answer.facts.token;
}

const newsIn = (answer: LedgerAnswer) => (answer.kind === 'answered' ? answer.facts : undefined);

it('a ledger learns of a customer once, and says afterwards only what is news', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  expect(
    newsIn(await ask(environment, { version: 3, learnt: { token, facts: granted(3) } })),
  ).toBeUndefined();
  expect(newsIn(await ask(environment, { version: 3 }))).toBeUndefined();
  expect(newsIn(await ask(environment, { version: 4 }))).toBeUndefined();
  expect(newsIn(await ask(environment, { version: 2 }))).toEqual({ kind: 'newer', facts: granted(3) });
});

it('that nothing is said of a customer is learnt as well', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 0, learnt: { token, facts: NO_FACTS } });
  expect(newsIn(await ask(environment, { version: 0 }))).toBeUndefined();
  await (await environment.ledger('weur')).tellFacts('ada', granted(1));
  expect(newsIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: granted(1) });
});

it('a change that is told while somebody is loading is not undone by what they have loaded', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await (await environment.ledger('weur')).tellFacts('ada', granted(2));
  const answer = await ask(environment, { version: 1, learnt: { token, facts: granted(1) } });
  expect(newsIn(answer)).toEqual({ kind: 'newer', facts: granted(2) });
});

it('what was loaded before an eviction is not believed after it: a change may have been missed', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await evictDurableObject(await environment.ledger('weur'));
  await (await environment.ledger('weur')).tellFacts('ada', granted(2));
  const answer = await ask(environment, { version: 1, learnt: { token, facts: granted(1) } });
  expect(newsIn(answer)).toMatchObject({ kind: 'unknown' });
});

it('nothing is counted by a value that was made from other facts than hold', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 2, learnt: { token, facts: granted(2) } });
  expect(await ask(environment, { version: 1 }, [update({ by: 5 })])).toEqual({
    kind: 'outdated',
    facts: { kind: 'newer', facts: granted(2) },
  });
  expect(await environment.used('weur')).toBe(0);
  await ask(environment, { version: 2 }, [update({ by: 5 })]);
  expect(await environment.used('weur')).toBe(5);
});

it('a location that was turned off has forgotten what it knew when it is turned on again', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 2, learnt: { token, facts: granted(2) } });
  const ledger = await environment.ledger('weur');
  environment.generation = 2;
  await ledger.drain({ ...environment.site('weur'), locations: ['enam'] });
  environment.generation = 3;
  expect(newsIn(await ask(environment, { version: 2 }))).toMatchObject({ kind: 'unknown' });
});

it('what an address stands for, told while somebody is loading, is not undone by what they have loaded', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  const ledger = await environment.ledger('weur');
  await ledger.tellFacts('ada', named(2_000));
  const answer = await ask(environment, { version: 1_000, learnt: { token, facts: granted(1_000) } });
  expect(newsIn(answer)).toEqual({ kind: 'newer', facts: named(2_000) });
  await ledger.tellFacts('ada', { ...granted(1_500), nameOf: null });
  expect(newsIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: named(2_000) });
  await ledger.tellFacts('ada', { ...NO_FACTS, version: 3_000, nameOf: null });
  expect(newsIn(await ask(environment, { version: 0 }))).toBeUndefined();
});

it('a ledger that knows a customer takes what is newer from its caller, and nothing older, without a token', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 1_000, learnt: { token, facts: named(1_000) } });
  const learn = (facts: CustomerFacts) =>
    ask(environment, { version: facts.version, learnt: { token: '', facts } });
  expect(newsIn(await learn(granted(2_000)))).toBeUndefined();
  expect(newsIn(await ask(environment, { version: 0 }))).toEqual({ kind: 'newer', facts: granted(2_000) });
  expect(newsIn(await learn(named(1_500)))).toEqual({ kind: 'newer', facts: granted(2_000) });
});

it('a caller who knows only that there is something hears also that there is nothing', async () => {
  const environment = new TestEnvironment('weur');
  const token = await tokenOf(environment);
  await ask(environment, { version: 0, learnt: { token, facts: NO_FACTS } });
  expect(newsIn(await ask(environment, { version: 0 }))).toBeUndefined();
  expect(await ask(environment, { version: UNHEARD_FACTS.version }, [update({ by: 5 })])).toEqual({
    kind: 'outdated',
    facts: { kind: 'newer', facts: NO_FACTS },
  });
  expect(await environment.used('weur')).toBe(0);
});
