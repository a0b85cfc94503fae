// One region after another, in the order of the worst cases that random histories found (tests/pure/ledger/moving-regions.test.ts).
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { LedgerEffects } from '#objects/ledger/ledger-effects';
import { evict } from '#tests/support/evict';
import { LIFETIME, NOW, TestEnvironment, update } from './ledger-calls';

type Place = TestEnvironment['locations'][number];

const HOUR = 3_600_000;
const unreachable = () => Promise.reject(new Error('unreachable'));

/** @returns the effects that were replaced */
async function replace(
  home: TestEnvironment,
  location: Place,
  replacements: (effects: LedgerEffects) => Partial<LedgerEffects>,
): Promise<LedgerEffects> {
  return runInDurableObject(await home.ledger(location), (object) => {
    const { effects } = object;
    object.effects = { ...effects, ...replacements(effects) };
    return effects;
  });
}

async function cutOff(home: TestEnvironment, location: Place): Promise<() => Promise<void>> {
  const effects = await replace(home, location, () => ({
    receive: unreachable,
    copy: unreachable,
    observeRetirement: unreachable,
  }));
  return async () => {
    await replace(home, location, () => ({ ...effects, now: () => Date.now() + 120_000 }));
  };
}

/** A promise that the test resolves. */
function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { open, opened };
}

/** Retires a location's ledger, as the queue does. */
async function erase(home: TestEnvironment, location: Place): Promise<boolean> {
  return (await home.ledger(location)).erase(home.site(location), false);
}

/** Retires the ledger of weur, up to what other locations have observed: the rest waits for `open`. */
async function eraseUntilObserved(home: TestEnvironment) {
  const { open, opened } = gate();
  const reached = gate();
  await replace(home, 'weur', ({ observeRetirement }) => ({
    observeRetirement: async (...given) => {
      const answer = await observeRetirement(...given);
      reached.open();
      await opened;
      return answer;
    },
  }));
  const erased = erase(home, 'weur');
  await reached.opened;
  return { erased, open };
}

describe('a region that was moved and is moved back', () => {
  it('keeps what it counted meanwhile, although the deletion that was ordered before goes on', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 6 });
    home.move('apac');
    const { erased, open } = await eraseUntilObserved(home);
    home.move('weur');
    await home.update('weur', { by: 5 });
    expect(await erase(home, 'apac')).toBe(true);
    open();
    expect(await erased).toBe(false);
    expect(await home.used('weur')).toBe(11);
  });

  it('keeps the events that it has not delivered', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', {});
    home.move('apac');
    const { erased, open } = await eraseUntilObserved(home);
    home.move('weur', 'apac');
    await home.update('weur', {});
    open();
    expect(await erased).toBe(false);
    const events = await runInDurableObject(await home.ledger('weur'), (_, { storage }) =>
      storage.sql.exec('SELECT number FROM outbox').toArray(),
    );
    expect(events).toHaveLength(1);
  });

  it('keeps it, although the queue delivers the order twice and late', async () => {
    const home = new TestEnvironment('weur', 'apac');
    await home.update('weur', { by: 6 });
    home.move('apac');
    const order = home.site('weur');
    const weur = await home.ledger('weur');
    expect(await weur.erase(order, false)).toBe(true);
    home.move('weur', 'apac');
    await home.update('weur', { by: 5 });
    expect(await weur.erase(order, false)).toBe(false);
    for (const location of home.locations) {
      await runDurableObjectAlarm(await home.ledger(location));
      expect(await home.used(location)).toBe(11);
    }
  });
});

describe('a move to other regions', () => {
  it('gives nobody a fresh quota: the region that is left is asked, and until it answers nothing is whole', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 50 });
    home.move('apac');
    const enforced = { updates: [update({ by: 10, enforce: true })], wholeOnly: true };
    const effects = await replace(home, 'apac', () => ({ copy: unreachable }));
    expect(await home.call('apac', { meters: [LIFETIME] })).toMatchObject({ isWhole: false });
    expect(await home.call('apac', enforced)).toEqual({ kind: 'incomplete' });
    await replace(home, 'apac', () => ({ ...effects, now: () => Date.now() + 120_000 }));
    expect(await home.call('apac', { meters: [LIFETIME] })).toMatchObject({
      isWhole: true,
      readings: [{ used: 50 }],
    });
    expect(await home.call('apac', enforced)).toMatchObject({ outcomes: [{ accepted: false }] });
    // Whoever is asked knows from then on that it is disabled.
    expect(await home.call('weur', { updates: [update({})] })).toMatchObject({ kind: 'moved' });
  });

  it('asks a region that has handed off everything once for all customers', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 50 });
    home.move('apac');
    expect(await erase(home, 'weur')).toBe(true);
    expect(await home.used('apac')).toBe(50);
    let asked = 0;
    await replace(home, 'apac', ({ copy }) => ({
      copy: (...given) => {
        asked += 1;
        return copy(...given);
      },
    }));
    for (const customer of ['grace', 'mary']) {
      expect(await home.call('apac', { customer, meters: [LIFETIME] })).toMatchObject({ isWhole: true });
    }
    expect(asked).toBeLessThanOrEqual(1);
    home.left('weur');
    expect(await home.call('apac', { customer: 'edith', meters: [LIFETIME] })).toMatchObject({
      isWhole: true,
    });
  });

  it('of two regions that are left, each is sent the key that the other one accepted first', async () => {
    const home = new TestEnvironment('weur', 'eeur');
    const keyed = { by: 3, key: { text: 'k', bodyHash: 'a' } };
    const mends = [await cutOff(home, 'weur'), await cutOff(home, 'eeur')];
    await home.update('weur', keyed);
    await home.update('eeur', keyed);
    home.move('apac');
    for (const mend of mends) await mend();
    for (let round = 0; round < 4; round++) {
      for (const location of ['weur', 'eeur', 'apac'] as const) {
        if (location !== 'apac') await erase(home, location);
        await runDurableObjectAlarm(await home.ledger(location));
      }
    }
    expect(await home.used('apac')).toBe(3);
  });
});

it('a region that is enabled again has what another one handed off meanwhile, also if nobody told it that it was disabled', async () => {
  const home = new TestEnvironment('weur', 'apac', 'sam');
  for (const location of home.locations) await home.used(location);
  const mend = await cutOff(home, 'weur');
  await home.update('weur', { by: 7 });
  home.move('apac');
  await mend();
  expect(await erase(home, 'weur')).toBe(true);
  home.move('apac', 'sam');
  expect(await home.call('sam', { meters: [LIFETIME] })).toMatchObject({
    isWhole: true,
    readings: [{ used: 7 }],
  });
});

it('a ledger that never counted knows after an eviction that its region is disabled', async () => {
  const home = new TestEnvironment('weur', 'apac');
  const before = home.site('weur');
  home.move('apac');
  const weur = await home.ledger('weur');
  expect(await weur.erase(home.site('weur'), false)).toBe(true);
  await evict(weur);
  const call = { site: before, customer: 'ada', now: NOW, updates: [update({})], reads: [] };
  expect(JSON.parse(await weur.answerText(JSON.stringify(call)))).toMatchObject({
    kind: 'moved',
    locations: ['apac'],
  });
});

it('a peer is sent changes again after two regions were disabled and one of them could not say that it retired', async () => {
  const home = new TestEnvironment('weur', 'apac', 'sam');
  await home.update('weur', {});
  for (const location of home.locations) await home.used(location);
  home.move('sam');
  for (const location of ['weur', 'apac'] as const)
    await (await home.ledger(location)).drain(home.site(location));
  home.move('weur', 'apac', 'sam');
  for (const location of home.locations) await (await home.ledger(location)).rejoin(home.site(location));
  await home.update('weur', { by: 4 });
  await runDurableObjectAlarm(await home.ledger('weur'));
  for (const location of home.locations) expect(await home.used(location)).toBe(5);
});

it('a decision that a copied page reverts is told to the other regions without another call', async () => {
  const home = new TestEnvironment('weur');
  const keyed = { by: 3, key: { text: 'k', bodyHash: 'a' } };
  await home.update('weur', keyed);
  home.move('weur', 'apac', 'sam');
  home.leaving = {};
  const mend = await cutOff(home, 'sam');
  // Sorts after apac, which has accepted it too.
  await home.update('apac', keyed);
  await home.update('sam', keyed);
  await mend();
  await home.used('sam');
  for (const location of ['apac', 'sam', 'weur'] as const) {
    await expect.poll(() => home.used(location), { timeout: 5_000 }).toBe(3);
  }
});

it('a ledger that nobody told of another region asks the replica before it deletes keys', async () => {
  const home = new TestEnvironment('weur');
  const keyed = { by: 3, key: { text: 'k', bodyHash: 'a' } };
  await home.update('weur', keyed);
  let isAsked = false;
  await replace(home, 'weur', () => ({
    now: () => Date.now() + 2 * HOUR,
    regions: async () => {
      isAsked = true;
      return { generation: 2, locations: ['weur', 'apac'], leaving: {} };
    },
    receive: unreachable,
  }));
  await runDurableObjectAlarm(await home.ledger('weur'));
  expect(isAsked).toBe(true);
  const keys = await runInDurableObject(await home.ledger('weur'), ({ store }) => store.findKeys('ada', 'k'));
  expect(keys).toHaveLength(1);
});
