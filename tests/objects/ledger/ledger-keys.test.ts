// How decisions under idempotency keys are stored: short, and without loss.
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { KeyRecord } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { PageRoom } from '#objects/ledger/page-room';
import { evict } from '#tests/support/evict';
import { NOW, TestEnvironment, update } from './ledger-calls';

const PROPERTY = 'prop_01k8xk3n5q7r9t2v4w6y8z0abc';
const MONTH = { periodType: 'rolling', periodCount: 1, periodLength: 'month' } as const;
const meter: Meter = { ...MONTH, limit: 1000, uniqueResourceIds: false };
const bodyHash = JSON.stringify([PROPERTY, 1, null, false, false]);
const KEY = crypto.randomUUID();
const keyed = update({
  propertyId: PROPERTY,
  by: 1,
  value: { state: 'metered', meter },
  key: { text: KEY, bodyHash },
});
const DECISION = {
  text: KEY,
  bodyHash,
  at: NOW,
  accepted: true,
  isReverted: false,
  propertyId: PROPERTY,
  counted: 1,
  applied: 1,
  minute: NOW / 60_000,
  holdChange: null,
  value: keyed.value,
  reading: { used: 1, resetsAt: Date.UTC(2026, 2, 1) },
};

/** The keys of the customer, as peers get them. */
async function keysOf(home: TestEnvironment): Promise<readonly KeyRecord[]> {
  return runInDurableObject(
    await home.ledger('weur'),
    ({ store }) => store.copyOf('ada', null, new PageRoom()).records.keys,
  );
}

it('a key takes about 150 bytes beside its indexes, and is a whole record for peers, whatever their version', async () => {
  const home = new TestEnvironment('weur');
  await home.call('weur', { updates: [keyed] });
  const [row] = await runInDurableObject(await home.ledger('weur'), (_object, { storage }) =>
    storage.sql.exec<{ text: string; body: string }>('SELECT text, body FROM key').toArray(),
  );
  const numbers = 4 * 8;
  expect(row!.text.length + row!.body.length + numbers).toBeLessThan(150);
  expect(await keysOf(home)).toEqual([
    { ...DECISION, origin: expect.stringMatching(/^weur\//), version: expect.any(Number) },
  ]);
});

it('any decision is read as it was stored', async () => {
  const home = new TestEnvironment('weur');
  await home.call('weur', { updates: [keyed] });
  const before = { stamp: NOW - 9, at: NOW - 99, isHeld: true, key: '"' };
  const decisions: Partial<KeyRecord>[] = [
    { accepted: false, applied: 0, counted: 0, value: { state: 'off' }, reading: null },
    { isReverted: true, origin: 'apac/1~ada@example.com', minute: 5, bodyHash: 'another', text: '\u{1f511}' },
    {
      counted: -3,
      applied: -3,
      givenBack: [
        { minute: 7, amount: 1 },
        { minute: 5, amount: 2 },
      ],
    },
    {
      reading: { used: 9, resetsAt: null, draws: { inWindow: 4, grants: { bal_a: 4, bal_b: 0 } } },
      draws: [
        { grant: 'bal_a', minute: 7, amount: 4 },
        { grant: 'bal_b', minute: 5, amount: -2 },
      ],
    },
    {
      holdChange: { resourceId: '["', stamp: NOW + 1, before },
      bodyHash: JSON.stringify([PROPERTY, null, '["', true, true]),
    },
    {
      value: { state: 'metered', meter: { limit: 0, periodType: 'lifetime', uniqueResourceIds: true } },
      propertyId: 'p"',
    },
  ];
  await runInDurableObject(await home.ledger('weur'), ({ store }) => {
    for (const given of decisions) {
      const key: KeyRecord = { ...DECISION, origin: 'weur/1', version: 9, at: NOW - 60_001, ...given };
      store.transaction(() => store.putKey('bob', key, null));
      expect(store.findKeys('bob', key.text)).toContainEqual(key);
    }
  });
});

it('a decision that an earlier version stored is replayed', async () => {
  const home = new TestEnvironment('weur');
  await home.call('weur', { updates: [keyed] });
  const [{ version, ...whole }] = (await keysOf(home)) as [KeyRecord];
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (_object, { storage }) => {
    storage.sql.exec('UPDATE key SET body = ?', JSON.stringify(whole));
  });
  await evict(ledger);
  expect(await keysOf(home)).toEqual([{ ...whole, version }]);
  const { value, reading } = DECISION;
  expect(await home.call('weur', { updates: [keyed] })).toMatchObject({
    outcomes: [{ kind: 'decided', accepted: true, replayed: true, applied: 1, at: NOW, value, reading }],
  });
});
