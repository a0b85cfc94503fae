import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, it, vi } from 'vitest';
import type { MeterableValue } from '#contracts/public/values';
import { clockDifference } from '#objects/ledger/bound-time';
import { evict } from '#tests/support/evict';
import { accepted, LIFETIME, NOW, SEATS, TestEnvironment, update } from './ledger-calls';

const seats: MeterableValue = { state: 'metered', meter: SEATS };

describe('one location', () => {
  it('accepts exactly 50 of 64 concurrent enforced updates with a limit of 50', async () => {
    const home = new TestEnvironment('weur');
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, () => home.update('weur', { enforce: true })),
    );
    expect(accepted(outcomes)).toBe(50);
    expect(await home.used('weur')).toBe(50);
  });

  it('accepts exactly 50 of 64 concurrent resources, and the same 50 again', async () => {
    const home = new TestEnvironment('weur');
    const take = () =>
      Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          home.update('weur', { resourceId: `seat ${index}`, value: seats, enforce: true }),
        ),
      );
    expect(accepted(await take())).toBe(50);
    expect(accepted(await take())).toBe(50);
    expect(await home.used('weur', SEATS)).toBe(50);
  });

  it('counts 20 concurrent updates with the same idempotency key once, and once more after 24 hours', async () => {
    const home = new TestEnvironment('weur');
    const keyed = { by: 3, key: { text: 'order 1', bodyHash: 'a' } };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => home.update('weur', keyed)));
    expect(outcomes.filter((outcome) => outcome.kind === 'decided' && !outcome.replayed)).toHaveLength(1);
    expect(new Set(outcomes.map((each) => JSON.stringify({ ...each, replayed: true }))).size).toBe(1);
    await evict(await home.ledger('weur'));
    expect(await home.update('weur', keyed, NOW + 23 * 3_600_000)).toMatchObject({ replayed: true, at: NOW });
    expect(await home.used('weur')).toBe(3);
    expect(await home.update('weur', keyed, NOW + 24 * 3_600_000)).toMatchObject({ replayed: false });
    expect(await home.used('weur')).toBe(6);
  });

  it('refuses a key that was used for another request, and counts nothing', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { key: { text: 'k', bodyHash: 'a' } });
    expect(await home.update('weur', { by: 7, key: { text: 'k', bodyHash: 'b' } })).toEqual({
      kind: 'conflict',
    });
    expect(await home.used('weur')).toBe(1);
  });

  it('has everything that it acknowledged after an eviction', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 5 });
    await home.update('weur', { resourceId: 'a', value: seats });
    await home.update('weur', { resourceId: 'b', value: seats });
    await home.update('weur', { resourceId: 'a', release: true, value: seats });
    const ledger = await home.ledger('weur');
    for (let round = 0; round < 3; round++) {
      await evict(ledger);
      expect(await home.used('weur', SEATS)).toBe(1);
      expect(await home.used('weur')).toBe(5 + round + 1);
      await home.update('weur', {});
    }
  });

  it('decides the updates of one call one after the other, and reads after them', async () => {
    const home = new TestEnvironment('weur');
    const answer = await home.call('weur', {
      updates: [update({ by: 30 }), update({ by: 30, enforce: true }), update({ by: 20, enforce: true })],
      meters: [LIFETIME],
    });
    expect(answer).toMatchObject({
      outcomes: [
        { accepted: true, reading: { used: 30 } },
        { accepted: false, applied: 0, reading: { used: 30 } },
        { accepted: true, reading: { used: 50 } },
      ],
      readings: [{ used: 50, resetsAt: null }],
    });
  });

  it('gives back at most what was used, and never reads below zero', async () => {
    const home = new TestEnvironment('weur');
    expect(await home.update('weur', { by: -4 })).toMatchObject({ accepted: true, applied: 0 });
    await home.update('weur', { by: 3 });
    expect(await home.update('weur', { by: -10, enforce: true })).toMatchObject({
      accepted: true,
      applied: -3,
    });
    expect(await home.used('weur')).toBe(0);
  });

  it('counts and reads at its own time where the clock of a caller is wrong by more than five minutes', async () => {
    clockDifference.ms = 300_000;
    const home = new TestEnvironment('weur');
    const trailingHour = { ...LIFETIME, periodType: 'fixed', periodCount: 1, periodLength: 'hour' } as const;
    const now = Date.now();
    const year = 365 * 86_400_000;
    await home.update('weur', { by: 5 }, now);
    await home.update('weur', { by: 1 }, now + year);
    await home.update('weur', { by: 1, occurredAt: now + year }, now + year);
    expect(await home.used('weur', trailingHour, now)).toBe(7);
    await home.update('weur', { by: 1 }, now - year);
    for (const at of [now - year, now - 200_000, now, now + 200_000, now + year]) {
      expect(await home.used('weur', trailingHour, at)).toBe(8);
    }
    clockDifference.ms = Number.POSITIVE_INFINITY;
  });

  it('refuses an update that would exceed the largest safe integer', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: Number.MAX_SAFE_INTEGER });
    expect(await home.update('weur', { by: 1 })).toEqual({ kind: 'too-large' });
    expect(await home.used('weur')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('always accepts a property that is on, and never one that is off', async () => {
    const home = new TestEnvironment('weur');
    expect(await home.update('weur', { value: { state: 'on' }, enforce: true })).toMatchObject({
      accepted: true,
      reading: null,
    });
    expect(await home.update('weur', { value: { state: 'off' }, enforce: true })).toMatchObject({
      accepted: false,
    });
    expect(await home.update('weur', { value: { state: 'off' } })).toMatchObject({ accepted: true });
    expect(await home.used('weur')).toBe(2);
  });

  it('treats hostile names as ordinary data', async () => {
    const home = new TestEnvironment('weur');
    const names = ['__proto__', 'constructor', "'; DROP TABLE cell; --", 'ﬁ💥', '\u0000'];
    for (const name of names) {
      const given = update({
        propertyId: name,
        resourceId: name,
        key: { text: name, bodyHash: name },
        value: seats,
      });
      const answer = await home.call('weur', { customer: name, updates: [given, given] });
      expect(answer).toMatchObject({
        outcomes: [
          { replayed: false, applied: 1 },
          { replayed: true, applied: 1 },
        ],
      });
    }
  });

  it('stores nothing and creates no table for a customer that was only read', async () => {
    const home = new TestEnvironment('weur');
    expect(await home.used('weur')).toBe(0);
    const ledger = await home.ledger('weur');
    const tables = await runInDurableObject(ledger, (_object, state) =>
      state.storage.sql
        .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
        .toArray(),
    );
    expect(tables).toEqual([]);
    await home.update('weur', {});
    expect(await home.used('weur', LIFETIME, NOW, 'grace')).toBe(0);
    const customers = await runInDurableObject(ledger, (_object, state) =>
      state.storage.sql.exec('SELECT identifier FROM customer').toArray(),
    );
    expect(customers).toEqual([{ identifier: 'ada' }]);
  });

  it('writes one row for 50 updates in one call', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', {});
    const ledger = await home.ledger('weur');
    const site = home.site('weur');
    const updates = Array.from({ length: 50 }, () => update({}));
    const written = await runInDurableObject(ledger, async (object, { storage: { sql } }) => {
      const exec = vi.spyOn(sql, 'exec');
      await object.answerText(JSON.stringify({ site, customer: 'ada', now: NOW, updates, reads: [] }));
      return exec.mock.results.map(({ value }) => (value as SqlStorageCursor<never>).rowsWritten);
    });
    expect(written).toEqual([1]);
  });

  it('rejects every call of a failed commit, and a retry counts once', async () => {
    const home = new TestEnvironment('weur');
    await home.update('weur', { by: 2 });
    const ledger = await home.ledger('weur');
    const site = home.site('weur');
    const keyed = update({ key: { text: 'k', bodyHash: 'a' } });
    const seat = update({ resourceId: 'a', value: seats });
    const outcomes = await runInDurableObject(ledger, async (object) => {
      const { store } = object;
      const whole = store.transaction.bind(store);
      const failing = vi.spyOn(store, 'transaction').mockImplementation((work) =>
        whole(() => {
          work();
          throw new Error('disk full');
        }),
      );
      const call = { site, customer: 'ada', now: NOW, reads: [] };
      const calls = [[update({ by: 9 })], [keyed], [seat]].map(async (updates) =>
        object.answerText(JSON.stringify({ ...call, updates })),
      );
      const settled = await Promise.allSettled(calls);
      failing.mockRestore();
      return settled.map(({ status }) => status);
    });
    expect(outcomes).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await home.used('weur')).toBe(2);
    expect(await home.used('weur', SEATS)).toBe(0);
    expect(await home.update('weur', keyed)).toMatchObject({ replayed: false });
    expect(await home.update('weur', seat)).toMatchObject({ applied: 1 });
    expect(await home.used('weur')).toBe(4);
  });
});
