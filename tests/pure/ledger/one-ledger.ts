/** One customer's ledger in one of two locations, for tests that name each instant. */
import type { CounterUpdate, LedgerCall, UpdateOutcome } from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Meter } from '#contracts/public/values';
import { SharedMemory } from '#engine/cache/shared-memory';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { acknowledgeBatch, nextBatch, receiveBatch } from '#objects/ledger/replication';
import { MemoryStore } from './ledger-memory-store.ts';

/** 10 a calendar month. */
export const MONTH: Meter = {
  limit: 10,
  periodType: 'rolling',
  periodCount: 1,
  periodLength: 'month',
  uniqueResourceIds: false,
};

export class OneLedger {
  readonly #ledger: LocalLedger;
  readonly #location: Location;

  constructor(location: Location = 'weur') {
    this.#location = location;
    this.#ledger = new LocalLedger(new MemoryStore(), () => `${location}/1`, new SharedMemory(100_000));
  }

  /** @returns undefined without an outcome */
  apply(now: number, meter: Meter, given: Partial<CounterUpdate>): UpdateOutcome | undefined {
    const value = { state: 'metered', meter } as const;
    const update = { propertyId: 'calls', value, enforce: false, ...given };
    const [answer] = this.#ledger.apply([{ ...this.#call(now), updates: [update] }]);
    return answer?.kind === 'answered' ? answer.outcomes[0] : undefined;
  }

  used(now: number, meter: Meter): number {
    const answer = this.#ledger.read({ ...this.#call(now), reads: [{ propertyId: 'calls', meter }] });
    return answer.kind === 'answered' ? answer.readings[0]!.used : Number.NaN;
  }

  /** Observes everything that the other ledger counted. */
  receive(other: OneLedger, now: number): void {
    for (let batch = nextBatch(other.#ledger, this.#location, now); batch !== null; ) {
      const answer = receiveBatch(this.#ledger, this.#site, batch, now);
      acknowledgeBatch(other.#ledger, this.#location, batch, answer);
      batch = nextBatch(other.#ledger, this.#location, now);
    }
  }

  #call(now: number): LedgerCall {
    return { site: this.#site, customer: 'ada', now, updates: [], reads: [] };
  }

  get #site() {
    const locations = ['apac', 'weur'] as const;
    return { environmentId: 'env_1', location: this.#location, shard: 0, generation: 1, locations };
  }
}
