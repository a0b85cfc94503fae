// Runs the random histories of tests/pure with one location on SQLite: it must behave like the store in memory, whenever the
// journal is folded and its rows are deleted.
import { runInDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import type { KeyRecord, UsageBucket } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { type Random, randomFrom } from '#lab/fixtures/seeded-random';
import { PageRoom } from '#objects/ledger/page-room';
import { SqliteLedgerStore } from '#objects/ledger/sqlite-ledger-store';
import { History, type HistoryStore } from '#tests/pure/ledger/ledger-history';
import { Crash, MemoryStore } from '#tests/pure/ledger/ledger-memory-store';
import { TestEnvironment } from './ledger-calls';

const HISTORIES = 60;
const STEPS = 70;

class CrashingStore extends SqliteLedgerStore implements HistoryStore {
  crashesNext = false;
  readonly #sql: SqlStorage;
  readonly #random: Random;
  readonly #decided = new Map<string, KeyRecord & { readonly customer: string }>();
  /** Keys of the current transaction. */
  #writing: (KeyRecord & { readonly customer: string })[] = [];

  constructor(storage: DurableObjectStorage, random: Random) {
    super(storage);
    this.#sql = storage.sql;
    this.#random = random;
  }

  override transaction<Result>(work: () => Result, isPlain?: boolean): Result {
    this.#writing = [];
    this.#tidyJournal();
    try {
      const result = super.transaction(() => {
        const written = work();
        if (this.crashesNext) throw new Crash('before the commit');
        return written;
      }, isPlain);
      for (const key of this.#writing) {
        this.#decided.set(JSON.stringify([key.customer, key.text, key.origin, key.at]), key);
      }
      return result;
    } finally {
      this.crashesNext = false;
    }
  }

  #tidyJournal(): void {
    const dice = this.#random.next();
    if (this.journal.isEmpty || dice < 0.6) return;
    const numbers = this.#sql.exec<{ number: number }>('SELECT number FROM outbox').toArray();
    if (dice < 0.7) this.journal.fold();
    else if (dice < 0.8) this.journal.close();
    else this.journal.deleteUpTo(this.#random.pick(numbers)?.number ?? 0);
  }

  override putKey(customer: string, key: KeyRecord, relay: number | null): void {
    super.putKey(customer, key, relay);
    this.#writing.push({ ...key, customer });
  }

  get decided(): Iterable<KeyRecord & { readonly customer: string }> {
    return this.#decided.values();
  }

  get buckets(): readonly (UsageBucket & { readonly customer: string })[] {
    return this.customersAfter(0, 100).flatMap(({ identifier }) =>
      this.copyOf(identifier, null, new PageRoom()).records.buckets.map((bucket) => ({
        ...bucket,
        customer: identifier,
      })),
    );
  }
}

it('usage in SQLite equals the list of acknowledged updates after any random history', {
  timeout: 600_000,
}, async () => {
  for (let seed = 100_001; seed <= 100_000 + HISTORIES; seed++) {
    const ledger = await new TestEnvironment('weur').ledger('weur');
    const acknowledged = await runInDurableObject(ledger, (_object, state) => {
      const storeOf = (location: Location) =>
        location === 'weur' ? new CrashingStore(state.storage, randomFrom(seed)) : new MemoryStore();
      const history = new History(seed, storeOf, seed % 2 === 0 ? ['registers', 'grants'] : []);
      for (let step = 0; step < STEPS; step++) history.step();
      history.heal();
      history.check();
      return history.acknowledged;
    });
    expect(acknowledged, `seed ${seed}`).toBeGreaterThan(3);
  }
});
