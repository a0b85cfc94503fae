// Clean-up: every location deletes its own copies of expired keys and releases, and makes room before its storage is full.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, it, vi } from 'vitest';
import type { Location } from '#contracts/public/locations';
import type { MeterableValue } from '#contracts/public/values';
import { MAX_STORAGE_BYTES } from '#objects/ledger/storage-level';
import { evict } from '#tests/support/evict';
import { expectConsole } from '#tests/support/expect-console';
import { SEATS, TestEnvironment, update } from './ledger-calls';

const seats: MeterableValue = { state: 'metered', meter: SEATS };
const keyed = (text: string) => update({ key: { text, bodyHash: 'a' } });

/** Keys, and releases, that a location stores. */
async function stored(home: TestEnvironment, location: Location): Promise<[keys: number, releases: number]> {
  return runInDurableObject(await home.ledger(location), (_object, { storage: { sql } }) => [
    sql.exec('SELECT 1 FROM key').toArray().length,
    sql.exec('SELECT 1 FROM mark WHERE is_held = 0').toArray().length,
  ]);
}

/** Runs the alarm two hours from now, when everything that tests have counted has expired. */
async function alarmLater(home: TestEnvironment, location: Location): Promise<void> {
  const ledger = await home.ledger(location);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, now: () => Date.now() + 2 * 3_600_000 };
  });
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
}

it('every location deletes expired keys and releases in its alarm, also one that only received them', async () => {
  const home = new TestEnvironment('weur', 'apac', 'sam');
  await home.update('weur', {});
  for (const location of home.locations) await home.used(location);
  for (let count = 0; count < 30; count++) {
    await home.update('weur', keyed(`order ${count}`));
    await home.update('weur', { resourceId: `session ${count}`, value: seats });
    await home.update('weur', { resourceId: `session ${count}`, release: true, value: seats });
  }
  await home.update('weur', { resourceId: 'kept', value: seats });
  await runDurableObjectAlarm(await home.ledger('weur'));
  for (const location of home.locations) expect(await stored(home, location)).toEqual([30, 30]);
  for (const location of home.locations) await evict(await home.ledger(location));
  for (const location of home.locations) {
    await home.used(location);
    await alarmLater(home, location);
    expect(await stored(home, location), location).toEqual([0, 0]);
    expect(await home.used(location), location).toBe(32);
    expect(await home.used(location, SEATS), location).toBe(1);
  }
});

it('an object that sleeps between its alarms delivers its events and deletes what has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    const home = new TestEnvironment('weur');
    await home.update('weur', keyed('a'));
    const ledger = await home.ledger('weur');
    for (let wakes = 0; wakes < 3; wakes++) {
      const alarmAt = await runInDurableObject(ledger, (_object, { storage }) => storage.getAlarm());
      await evict(ledger);
      vi.setSystemTime(Math.max(Date.now(), alarmAt ?? 0) + 1_000);
      await runDurableObjectAlarm(ledger);
      await evict(ledger);
    }
    expect(await stored(home, 'weur')).toEqual([0, 0]);
    const left = await runInDurableObject(ledger, async (_object, { storage }) => ({
      events: storage.sql.exec('SELECT 1 FROM outbox').toArray().length,
      alarmAt: await storage.getAlarm(),
    }));
    expect(left).toEqual({ events: 0, alarmAt: null });
  } finally {
    vi.useRealTimers();
  }
});

it('without keys and releases no alarm is set for clean-up', async () => {
  const home = new TestEnvironment('weur');
  await home.update('weur', { resourceId: 'a', value: seats });
  await alarmLater(home, 'weur');
  const ledger = await home.ledger('weur');
  expect(await runInDurableObject(ledger, (_object, state) => state.storage.getAlarm())).toBeNull();
});

it('a location that is nearly full refuses keyed updates only, says so, and takes them again after clean-up', async () => {
  const home = new TestEnvironment('weur');
  const ledger = await home.ledger('weur');
  const fill = (share: number) =>
    runInDurableObject(ledger, (object) => {
      object.effects = { ...object.effects, databaseSize: () => share * MAX_STORAGE_BYTES };
    });
  await home.update('weur', keyed('before'));
  expectConsole('warn', /ledger\.storage-fills.*"share":0\.7,"isFull":false/);
  await fill(0.7);
  await alarmLater(home, 'weur');
  expect(await home.update('weur', keyed('in time'))).toMatchObject({ accepted: true });

  await evict(ledger);
  await home.update('weur', {});
  expectConsole('warn', /ledger\.storage-fills.*"share":0\.9,"isFull":true/);
  await fill(0.9);
  await alarmLater(home, 'weur');
  expect(await stored(home, 'weur')).toEqual([0, 0]);
  expect(await home.call('weur', { updates: [keyed('too late')] })).toEqual({ kind: 'full' });
  expect(await home.update('weur', {})).toMatchObject({ accepted: true });
  await fill(0.5);
  expect(await home.update('weur', keyed('again'))).toMatchObject({ accepted: true });
});

it('a location that is nearly full repeats what it accepted before', async () => {
  const home = new TestEnvironment('weur');
  const ledger = await home.ledger('weur');
  const now = Date.now();
  expect(await home.update('weur', keyed('accepted'), now)).toMatchObject({
    accepted: true,
    replayed: false,
  });
  expectConsole('warn', /ledger\.storage-fills.*"share":0\.95,"isFull":true/);
  await runInDurableObject(ledger, (object) => {
    object.effects = { ...object.effects, databaseSize: () => 0.95 * MAX_STORAGE_BYTES };
    return object.alarm();
  });
  expect(await home.update('weur', keyed('accepted'), now)).toMatchObject({ accepted: true, replayed: true });
  expect(await home.call('weur', { updates: [keyed('other')], now })).toEqual({ kind: 'full' });
  expect(await home.call('weur', { updates: [keyed('accepted'), keyed('other')], now })).toEqual({
    kind: 'full',
  });
  const hold = { kind: 'open', id: 'one', lastsMs: 1_000, orLess: false } as const;
  expect(await home.call('weur', { updates: [update({ hold })], now })).toEqual({ kind: 'full' });
  expect(await home.used('weur', undefined, now)).toBe(1);
});
