// How decisions under idempotency keys are stored: short, and without loss.
import { runInDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KeyRecord } from '#contracts/internal/ledger';
import type { Meter } from '#contracts/public/values';
import { PageRoom } from '#objects/ledger/page-room';
import { evict } from '#tests/support/evict';
import { NOW, TestEnvironment, update } from './ledger-calls';

const PROPERTY = 'prop_01k8xk3n5q7r9t2v4w6y8z0abc';
const MONTH: Meter = {
  limit: 1000,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};

/** As the Worker sends it. */
const keyed = (text: string) =>
  update({
    propertyId: PROPERTY,
    value: { state: 'metered', meter: MONTH },
    by: 1,
    key: { text, bodyHash: JSON.stringify([PROPERTY, 1, null, false, false]) },
  });

/** The keys that are stored of a customer, as peers get them. */
async function keysOf(home: TestEnvironment, customer: string): Promise<readonly KeyRecord[]> {
  const ledger = await home.ledger('weur');
  return runInDurableObject(ledger, ({ store }) => store.copyOf(customer, null, new PageRoom()).records.keys);
}

const instant = fc.integer({ min: 0, max: 4 * NOW });
const amount = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
const name = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', ''));
const meter: fc.Arbitrary<Meter> = fc.record(
  {
    limit: fc.nat(),
    periodType: fc.constantFrom('lifetime', 'rolling', 'fixed'),
    uniqueResourceIds: fc.boolean(),
    periodCount: fc.nat(9),
    periodLength: fc.constantFrom('hour', 'day', 'month'),
  },
  { requiredKeys: ['limit', 'periodType', 'uniqueResourceIds'] },
);
const record: fc.Arbitrary<KeyRecord> = fc.record(
  {
    text: name,
    origin: fc.constantFrom('weur/1', 'apac/2', 'apac/2~ada@example.com'),
    at: instant,
    bodyHash: fc.oneof(
      name,
      name.map((resource) => JSON.stringify([PROPERTY, null, resource, true, false])),
    ),
    accepted: fc.boolean(),
    applied: amount,
    value: fc.oneof(
      fc.constant({ state: 'on' } as const),
      fc.constant({ state: 'off' } as const),
      fc.record({ state: fc.constant('metered' as const), meter }),
    ),
    reading: fc.option(fc.record({ used: fc.nat(), resetsAt: fc.option(instant) })),
    propertyId: fc.constantFrom(PROPERTY, 'prop_"'),
    counted: amount,
    minute: fc.nat(99_999_999),
    givenBack: fc.array(fc.record({ minute: fc.nat(), amount: fc.nat() }), { minLength: 1, maxLength: 3 }),
    holdChange: fc.option(
      fc.record({
        resourceId: name,
        stamp: instant,
        before: fc.record({ stamp: instant, at: instant, isHeld: fc.boolean(), key: fc.option(name) }),
      }),
    ),
    isReverted: fc.boolean(),
    version: fc.integer({ min: 1, max: 1_000_000 }),
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      'text',
      'origin',
      'at',
      'bodyHash',
      'accepted',
      'applied',
      'value',
      'reading',
      'propertyId',
      'counted',
      'minute',
      'holdChange',
      'isReverted',
      'version',
    ],
  },
);

it('any decision is read as it was stored, also by peers', async () => {
  const ledger = await new TestEnvironment('weur').ledger('weur');
  await runInDurableObject(ledger, ({ store }, { storage }) => {
    store.saveState({
      origin: null,
      sequence: 0,
      site: new TestEnvironment('weur').site('weur'),
      retired: [],
    });
    fc.assert(
      fc.property(record, (key) => {
        store.transaction(() => store.putKey('ada', key, null));
        expect(store.findKeys('ada', key.text)).toEqual([key]);
        expect(store.copyOf('ada', null, new PageRoom()).records.keys).toEqual([key]);
        storage.sql.exec('DELETE FROM key');
      }),
      { numRuns: 500 },
    );
  });
});

it('a key of an update takes about 150 bytes beside its indexes, and is a whole record for peers, whatever their version', async () => {
  const home = new TestEnvironment('weur');
  const text = crypto.randomUUID();
  await home.call('weur', { updates: [keyed(text)] });
  const ledger = await home.ledger('weur');
  const bytes = await runInDurableObject(
    ledger,
    (_object, { storage }) =>
      storage.sql
        .exec<{ bytes: number }>(
          `SELECT length(CAST(text AS BLOB)) + length(CAST(body AS BLOB)) + 8 * 4 AS bytes FROM key`,
        )
        .one().bytes,
  );
  expect(bytes).toBeLessThan(150);
  const { origin, version, ...decision } = (await keysOf(home, 'ada'))[0]!;
  expect(origin).toMatch(/^weur\//);
  expect(version).toBeGreaterThan(0);
  expect(decision).toEqual({
    text,
    bodyHash: keyed(text).key!.bodyHash,
    at: NOW,
    accepted: true,
    applied: 1,
    value: { state: 'metered', meter: MONTH },
    reading: { used: 1, resetsAt: Date.UTC(2026, 2, 1) },
    propertyId: PROPERTY,
    counted: 1,
    minute: NOW / 60_000,
    holdChange: null,
    isReverted: false,
  });
});

it('a decision that an earlier version stored is replayed, and what was stored since as well', async () => {
  const home = new TestEnvironment('weur');
  const first = await home.call('weur', { updates: [keyed('k')] });
  const [key] = await keysOf(home, 'ada');
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (_object, { storage }) => {
    const { version: _, ...whole } = key!;
    storage.sql.exec('UPDATE key SET body = ?', JSON.stringify(whole));
  });
  expect(await keysOf(home, 'ada')).toEqual([key]);
  await evict(ledger);
  for (const _ of ['before', 'after']) {
    const again = await home.call('weur', { updates: [keyed('k')] });
    expect(again).toEqual({
      ...first,
      outcomes: [{ ...(first.kind === 'answered' && first.outcomes[0]), replayed: true }],
    });
    await runInDurableObject(ledger, ({ store }) => store.transaction(() => store.putKey('ada', key!, null)));
  }
});
