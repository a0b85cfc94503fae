// Cases that random histories meet too rarely: reverts in the opposite order, and deletion of records that a peer may lack.

import { expect, it } from 'vitest';
import type { CounterUpdate, LedgerSite, ReplicationBatch } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import { SharedMemory } from '#engine/cache/shared-memory';
import { deleteSettled } from '#objects/ledger/delete-settled';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { PageRoom } from '#objects/ledger/page-room';
import { acknowledgeBatch, nextBatch, receiveBatch, settlementBatch } from '#objects/ledger/replication';
import { MemoryStore } from './ledger-memory-store.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SEATS: Meter = { limit: 9, periodType: 'lifetime', uniqueResourceIds: true };

class Locations {
  readonly #locations: Location[] = [];
  readonly #ledgers = new Map<Location, LocalLedger>();
  #generation = 0;

  constructor(...locations: Location[]) {
    this.enable(...locations);
  }

  /** The ledgers of the others learn of it with the next call. */
  enable(...locations: Location[]): void {
    this.#generation += 1;
    this.#locations.push(...locations);
    for (const location of locations) {
      const ledger = new LocalLedger(new MemoryStore(), () => `${location}/1`, new SharedMemory(1000));
      this.#ledgers.set(location, ledger);
    }
  }

  /** Takes or releases a seat. */
  seat(
    location: Location,
    now: number,
    resourceId: string,
    more: { release?: boolean; key?: string } = {},
  ): void {
    const { release, key } = more;
    const update: CounterUpdate = {
      propertyId: 'seats',
      resourceId,
      release,
      key: key === undefined ? undefined : { text: key, bodyHash: 'same' },
      value: { state: 'metered', meter: SEATS },
      enforce: false,
    };
    const site = this.#site(location);
    const [answer] = this.#ledger(location).apply([
      { site, customer: 'ada', now, updates: [update], reads: [] },
    ]);
    expect(answer).toMatchObject({ kind: 'answered', outcomes: [{ accepted: true, replayed: false }] });
  }

  push(from: Location, to: Location, now: number): void {
    for (;;) {
      const push = nextBatch(this.#ledger(from), to, now);
      if (push === null) return;
      this.#exchange(from, to, push, now);
    }
  }

  #exchange(from: Location, to: Location, push: ReplicationBatch, now: number): void {
    acknowledgeBatch(this.#ledger(from), to, push, receiveBatch(this.#ledger(to), this.#site(to), push, now));
  }

  /** Like the alarm of a location's object. */
  cleanUp(from: Location, now: number): void {
    for (const to of this.#locations) {
      const batch = settlementBatch(this.#ledger(from), to, now);
      if (batch !== null) this.#exchange(from, to, batch, now);
    }
    deleteSettled(this.#ledger(from), now);
  }

  cleanUpAll(now: number): void {
    for (const location of this.#locations) this.cleanUp(location, now);
  }

  pushAll(now: number): void {
    for (let round = 0; round < 3; round++) {
      for (const from of this.#locations) {
        for (const to of this.#locations) if (from !== to) this.push(from, to, now);
      }
    }
  }

  /** Used seats per location, in order. */
  used(now: number): number[] {
    return this.#locations.map((location) => {
      const call = { site: this.#site(location), customer: 'ada', now, updates: [] };
      const answer = this.#ledger(location).read({ ...call, reads: [{ propertyId: 'seats', meter: SEATS }] });
      return answer.kind === 'answered' ? answer.readings[0]!.used : Number.NaN;
    });
  }

  /** The number of stored uses. */
  uses(location: Location): number {
    return this.#ledger(location).store.copyOf('ada', null, new PageRoom()).records.holds.length;
  }

  keys(location: Location): number {
    return this.#ledger(location).store.copyOf('ada', null, new PageRoom()).records.keys.length;
  }

  #ledger(location: Location): LocalLedger {
    return this.#ledgers.get(location)!;
  }

  #site(location: Location): LedgerSite {
    const [generation, locations] = [this.#generation, [...this.#locations]];
    return { environmentId: 'env_1', location, shard: 0, generation, locations };
  }
}

it('a resource that two losing decisions took is free again, whichever is reverted first', () => {
  for (const order of [
    ['k1', 'k2'],
    ['k2', 'k1'],
  ]) {
    const home = new Locations('apac', 'weur');
    home.seat('weur', NOW, 'a', { key: 'k1' });
    home.seat('weur', NOW + 1, 'a', { key: 'k2' });
    for (const [index, key] of order.entries()) {
      home.seat('apac', NOW + 10 + index, `elsewhere ${key}`, { key });
      home.push('apac', 'weur', NOW + 20);
    }
    home.pushAll(NOW + 30);
    expect(home.used(NOW + 40)).toEqual([2, 2]);
  }
});

it('a write to a resource after a losing decision is kept', () => {
  const home = new Locations('apac', 'weur');
  home.seat('weur', NOW, 'a', { key: 'k' });
  home.seat('weur', NOW + 1, 'a');
  home.seat('apac', NOW + 2, 'b', { key: 'k' });
  home.pushAll(NOW + 3);
  expect(home.used(NOW + 4)).toEqual([2, 2]);
});

it('a release in a location that does not know of the use yet still frees the resource', () => {
  const home = new Locations('apac', 'weur');
  home.seat('weur', NOW, 'a');
  home.seat('apac', NOW + 1, 'a', { release: true });
  home.pushAll(NOW + 2);
  expect(home.used(NOW + 3)).toEqual([0, 0]);
});

it('a retried release frees the resource, also if the location that knew of the use loses', () => {
  const home = new Locations('apac', 'weur');
  home.seat('weur', NOW, 'a');
  home.seat('weur', NOW + 1, 'a', { release: true, key: 'k' });
  home.seat('apac', NOW + 1, 'a', { release: true, key: 'k' });
  home.pushAll(NOW + 2);
  expect(home.used(NOW + 3)).toEqual([0, 0]);
});

it('a release is kept while a location may lack earlier uses', () => {
  const home = new Locations('apac', 'sam', 'weur');
  home.seat('weur', NOW, 'a');
  home.push('weur', 'sam', NOW);
  home.seat('sam', NOW + 1, 'a', { release: true });
  home.push('sam', 'apac', NOW + 2);
  home.push('sam', 'weur', NOW + 2);
  home.seat('apac', NOW + 3 * DAY, 'b');
  home.pushAll(NOW + 3 * DAY);
  expect(home.used(NOW + 3 * DAY)).toEqual([1, 1, 1]);
});

it('a use that was reverted to an old release is kept until the others have it', () => {
  const home = new Locations('apac', 'sam', 'weur');
  home.seat('weur', NOW, 'a');
  home.seat('weur', NOW + 1, 'a', { release: true });
  home.pushAll(NOW + 2);
  const later = NOW + 3 * DAY;
  // A location reports with its next batch that all peers have the previous one.
  for (const at of [later - 20, later - 10]) {
    for (const location of ['apac', 'sam', 'weur'] as const) home.seat(location, at, `of ${location}`);
    home.pushAll(at + 1);
  }
  home.seat('weur', later, 'a', { key: 'k' });
  home.push('weur', 'sam', later + 1);
  home.seat('apac', later + 2, 'b', { key: 'k' });
  home.push('apac', 'weur', later + 3);
  home.seat('weur', later + 4, 'c');
  home.pushAll(later + 5);
  expect(home.used(later + 6)).toEqual([5, 5, 5]);
});

it('keys are deleted in every location, also where nothing is ever counted', () => {
  const home = new Locations('apac', 'sam', 'weur');
  for (let day = 0; day < 30; day++) {
    const now = NOW + day * DAY;
    home.seat('weur', now, 'a', { key: `key ${day}` });
    home.pushAll(now + 1);
    home.cleanUpAll(now + 2);
    for (const location of ['apac', 'sam', 'weur'] as const) expect(home.keys(location)).toBeLessThan(3);
  }
  home.cleanUpAll(NOW + 31 * DAY);
  for (const location of ['apac', 'sam', 'weur'] as const) expect(home.keys(location)).toBe(0);
  expect(home.used(NOW + 31 * DAY)).toEqual([1, 1, 1]);
});

it('a key is kept while a location may not have replicated its own decision', () => {
  const home = new Locations('apac', 'weur');
  home.seat('apac', NOW - 1, 'z');
  home.pushAll(NOW - 1);
  home.seat('weur', NOW, 'a', { key: 'k' });
  home.seat('apac', NOW + 1, 'b', { key: 'k' });
  for (let day = 1; day < 5; day++) home.seat('apac', NOW + day * DAY, 'c', { key: `of day ${day}` });
  home.cleanUp('apac', NOW + 5 * DAY - 1);
  home.push('weur', 'apac', NOW + 5 * DAY);
  home.cleanUpAll(NOW + 5 * DAY + 1);
  for (let day = 5; day < 9; day++) home.seat('weur', NOW + day * DAY, 'd', { key: `of day ${day}` });
  home.pushAll(NOW + 9 * DAY);
  expect(home.used(NOW + 9 * DAY)).toEqual([4, 4]);
});

it('a key that a location has accepted once it was enabled counts once, although it had expired where it was known', () => {
  const home = new Locations('apac');
  home.seat('apac', NOW, 'a', { key: 'k' });
  home.enable('weur');
  home.seat('weur', NOW + DAY - 1, 'b', { key: 'k' });
  home.cleanUp('apac', NOW + DAY + 50 * MINUTE);
  home.pushAll(NOW + DAY + 55 * MINUTE);
  // The new location has copied nothing, and has given back what it counted.
  expect(home.used(NOW + DAY + HOUR)).toEqual([1, 0]);
});

it('releases are deleted in the end', () => {
  const home = new Locations('apac', 'weur');
  for (let day = 0; day < 30; day++) {
    const now = NOW + day * DAY;
    home.seat('weur', now, `session ${day}`);
    home.seat('weur', now + 1, `session ${day}`, { release: true });
    home.pushAll(now + 2);
    home.seat('apac', now + 3, 'kept');
    home.pushAll(now + 4);
    home.cleanUpAll(now + 5);
  }
  expect(home.used(NOW + 31 * DAY)).toEqual([1, 1]);
  home.cleanUpAll(NOW + 31 * DAY);
  expect(home.used(NOW + 31 * DAY)).toEqual([1, 1]);
  for (const location of ['apac', 'weur'] as const) expect(home.uses(location)).toBe(1);
});
