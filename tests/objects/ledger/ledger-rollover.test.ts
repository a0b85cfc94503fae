// Meters that roll over: what periods leave is stored, replicated, repeated and deleted by ledgers with their real storage.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { CounterUpdate } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import { rolledName } from '#engine/ledger/rolled-grants';
import { evict } from '#tests/support/evict';
import { TestEnvironment } from './ledger-calls.ts';

const MONTH: Meter = {
  limit: 100,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
  rollover: { max: 30, lasts: { months: 1 } },
};
const metered = (by: number, more: Partial<CounterUpdate> = {}): Partial<CounterUpdate> => ({
  ...{ by, enforce: true, value: { state: 'metered', meter: MONTH } },
  ...more,
});
const JANUARY = Date.UTC(2026, 0, 20);
const FEBRUARY = Date.UTC(2026, 1, 3);
const MARCH = Date.UTC(2026, 2, 1);
const OF_JANUARY = rolledName('prop_calls', Date.UTC(2026, 0, 1));

const periodsIn = async (home: TestEnvironment, location: Location) =>
  runInDurableObject(await home.ledger(location), (_object, { storage: { sql } }) =>
    sql.exec<{ body: string }>("SELECT body FROM register WHERE kind = 'period'").toArray(),
  );

it('every location has what a period left, after its object was evicted too, and draws it before the quota', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await home.used('apac');
  await home.update('weur', metered(80), JANUARY);
  await runDurableObjectAlarm(await home.ledger('weur'));
  const rolled = [
    ...[
      {
        grant: OF_JANUARY,
        amount: 20,
        from: Date.UTC(2026, 0, 1),
        startsAt: Date.UTC(2026, 1, 1),
        endsAt: MARCH,
      },
    ],
  ];
  for (const location of home.locations) {
    await evict(await home.ledger(location));
    expect(await home.reading(location, MONTH, FEBRUARY)).toMatchObject({ used: 0, rolled });
  }
  const drawn = {
    draws: [{ grant: OF_JANUARY, amount: 20 }],
    reading: { used: 110, draws: { inWindow: 20 } },
  };
  expect(await home.update('apac', metered(110), FEBRUARY)).toMatchObject({ accepted: true, ...drawn });
  expect(await home.update('apac', metered(11), FEBRUARY)).toMatchObject({ accepted: false });
  await runDurableObjectAlarm(await home.ledger('apac'));
  expect(await home.update('weur', metered(11), FEBRUARY)).toMatchObject({ accepted: false });
  expect(await home.update('weur', metered(10), FEBRUARY)).toMatchObject({ accepted: true });
  expect((await home.reading('weur', MONTH, MARCH)).rolled).toBeUndefined();
});

it('an update that is repeated has its first answer, with what could be used then', async () => {
  const home = new TestEnvironment('weur');
  const key = { text: 'order 1', bodyHash: 'a' };
  await home.update('weur', metered(50), JANUARY);
  const first = await home.update('weur', metered(40, { key }), FEBRUARY);
  expect(first).toMatchObject({ accepted: true, draws: [{ grant: OF_JANUARY, amount: 30 }] });
  await evict(await home.ledger('weur'));
  expect(await home.update('weur', metered(40, { key }), FEBRUARY + 1000)).toEqual({
    ...first,
    replayed: true,
  });
});

it('a hold takes what was rolled over, and what is not used of it is there again', async () => {
  const home = new TestEnvironment('weur');
  await home.update('weur', metered(50), JANUARY);
  const open = { kind: 'open', id: 'one', lastsMs: 60_000, orLess: false } as const;
  const held = await home.update('weur', metered(120, { hold: open }), FEBRUARY);
  if (held.kind !== 'decided') throw new Error(held.kind);
  expect(held).toMatchObject({ accepted: true, draws: [{ grant: OF_JANUARY, amount: 30 }] });
  const settle = { kind: 'settle', name: held.hold!.name, onExcess: 'overflow' } as const;
  const settled = await home.update('weur', metered(10, { hold: settle }), FEBRUARY);
  expect(settled).toMatchObject({ reading: { used: 10, draws: { grants: { [OF_JANUARY]: 10 } } } });
  expect(await home.update('weur', metered(121), FEBRUARY)).toMatchObject({ accepted: false });
  expect(await home.update('weur', metered(120), FEBRUARY)).toMatchObject({ accepted: true });
});

it('what an update also counts is taken from what was rolled over of that meter', async () => {
  const home = new TestEnvironment('weur');
  const credits = {
    propertyId: 'prop_credits',
    value: { state: 'metered', meter: MONTH },
    per: 10_000,
  } as const;
  const call = (by: number, now: number) =>
    home.update('weur', { by, enforce: true, value: { state: 'on' }, also: [credits] }, now);
  expect(await call(9, JANUARY)).toMatchObject({ accepted: true });
  const grant = rolledName('prop_credits', Date.UTC(2026, 0, 1));
  expect(await call(11, FEBRUARY)).toMatchObject({
    ...{ accepted: true, also: [{ applied: 110, draws: [{ grant, amount: 10 }] }] },
  });
  expect(await call(1, FEBRUARY)).toMatchObject({ accepted: false });
});

it('a period is written once while its limit stays, and deleted everywhere 13 months after', async () => {
  const home = new TestEnvironment('weur', 'apac');
  await home.used('apac');
  for (const by of [1, 2, 3]) await home.update('weur', metered(by), JANUARY);
  expect((await periodsIn(home, 'weur')).map(({ body }) => JSON.parse(body))).toEqual([
    { endsAt: Date.UTC(2026, 1, 1), firstLimit: 100, limit: 100 },
  ]);
  const raised = { value: { state: 'metered', meter: { ...MONTH, limit: 150 } } } as const;
  await home.update('weur', metered(1, raised), JANUARY);
  await runDurableObjectAlarm(await home.ledger('weur'));
  for (const location of home.locations)
    expect((await periodsIn(home, location)).map(({ body }) => JSON.parse(body))).toEqual([
      { endsAt: Date.UTC(2026, 1, 1), firstLimit: 100, limit: 150 },
    ]);
  const in14Months = Date.UTC(2027, 3, 1);
  for (const location of home.locations) {
    const ledger = await home.ledger(location);
    await runInDurableObject(ledger, (object) => {
      object.effects = { ...object.effects, now: () => in14Months };
    });
    await home.used(location);
  }
  for (const location of home.locations) await runDurableObjectAlarm(await home.ledger(location));
  for (const location of home.locations) expect(await periodsIn(home, location), location).toEqual([]);
});

it('keys are deleted a day after, although a period is kept for 13 months', async () => {
  const home = new TestEnvironment('weur');
  await home.update('weur', metered(1), JANUARY);
  await home.update('weur', metered(1, { key: { text: 'a', bodyHash: 'a' } }), JANUARY);
  const ledger = await home.ledger('weur');
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 2 * 3_600_000 };
  });
  await runDurableObjectAlarm(ledger);
  const keys = await runInDurableObject(ledger, (_object, { storage: { sql } }) =>
    sql.exec('SELECT 1 FROM key').toArray(),
  );
  expect(keys).toEqual([]);
  expect(await periodsIn(home, 'weur')).toHaveLength(1);
});
