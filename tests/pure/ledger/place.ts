/** One customer's ledger in one of some locations, whose meter has a quota for life and maybe grants. */
import type {
  CounterUpdate,
  DrawSource,
  LedgerReading,
  MeterWindow,
  ReplicationBatch,
  UpdateOutcome,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import type { Overage } from '#contracts/public/overage';
import { SharedMemory } from '#engine/cache/shared-memory';
import { deleteSettled } from '#objects/ledger/delete-settled';
import { LocalLedger } from '#objects/ledger/local-ledger';
import { acknowledgeBatch, nextBatch, receiveBatch, settlementBatch } from '#objects/ledger/replication';
import { MemoryStore } from './ledger-memory-store.ts';

export const METER = { periodType: 'lifetime', uniqueResourceIds: false } as const;

export interface Quota {
  readonly limit: number;
  /** Absent: the customer has no grants. */
  readonly sources?: readonly DrawSource[];
  readonly overage?: Overage;
}

export interface ReadOf {
  readonly propertyId?: string;
  readonly entity?: string;
  readonly meter?: MeterWindow;
}

export class Place {
  readonly location: Location;
  readonly store = new MemoryStore();
  ledger: LocalLedger;
  /** Another location has not learned for a while what is counted here. */
  isPeerSilent = false;
  /** From when the customer's billing windows may be counted. */
  anchors: readonly number[] = [];
  /** What its clock says when it learns something. */
  now = 0;
  readonly #locations: readonly Location[];

  constructor(location: Location, locations: readonly Location[] = ['apac', 'weur']) {
    this.location = location;
    this.#locations = locations;
    this.ledger = this.#open();
  }

  #open(): LocalLedger {
    const memory = new SharedMemory(100_000);
    const newOrigin = (of: Location) => `${of}/1`;
    const peers = { isPeerSilent: () => this.isPeerSilent, now: () => this.now };
    const facts = { customerOf: () => undefined, anchorsOf: () => this.anchors };
    return new LocalLedger(this.store, newOrigin, memory, facts, peers);
  }

  restart(): void {
    this.ledger = this.#open();
  }

  /** @param given enforced, unless it says otherwise */
  decide(now: number, given: Partial<CounterUpdate>, quota: Quota): UpdateOutcome {
    return this.answer(now, given, quota).outcomes[0]!;
  }

  answer(now: number, given: Partial<CounterUpdate>, quota: Quota) {
    return this.#answerAll(now, [given], quota);
  }

  /** In one transaction. */
  decideAll(now: number, given: readonly Partial<CounterUpdate>[], quota: Quota): readonly UpdateOutcome[] {
    return this.#answerAll(now, given, quota).outcomes;
  }

  #answerAll(now: number, given: readonly Partial<CounterUpdate>[], { limit, sources, overage }: Quota) {
    const updates = given.map(
      (each): CounterUpdate => ({
        ...{ propertyId: 'prop_calls', enforce: true },
        value: { state: 'metered', meter: { ...METER, limit, ...(overage && { overage }) } },
        ...(sources && { sources }),
        ...each,
      }),
    );
    const [answer] = this.ledger.apply([this.#call(now, updates)]);
    if (answer?.kind !== 'answered') throw new Error(answer?.kind);
    return answer;
  }

  /** @param of by default the customer's own calls */
  read(now: number, { propertyId = 'prop_calls', entity, meter = METER }: ReadOf = {}): LedgerReading {
    const ofEntity = entity === undefined ? undefined : true;
    const answer = this.ledger.read({
      ...this.#call(now, []),
      ...{ entity, reads: [{ propertyId, meter, ofEntity }] },
    });
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    return answer.readings[0]!;
  }

  /** Learns everything that the other ledger has. */
  receive(other: Place, now: number): void {
    this.now = now;
    for (let batch = nextBatch(other.ledger, this.location, now); batch !== null; ) {
      const answer = receiveBatch(this.ledger, this.#site, batch, now);
      acknowledgeBatch(other.ledger, this.location, batch, answer);
      batch = nextBatch(other.ledger, this.location, now);
    }
  }

  /** What the other ledger would send it now. */
  batchFrom(other: Place, now: number): ReplicationBatch | null {
    return nextBatch(other.ledger, this.location, now);
  }

  /** Merges what was under way, and tells whom it is from. */
  take(batch: ReplicationBatch, from: Place, now: number): void {
    this.now = now;
    const answer = receiveBatch(this.ledger, this.#site, batch, now);
    acknowledgeBatch(from.ledger, this.location, batch, answer);
  }

  /** Deletes what all locations have, as its alarm does. */
  cleanUp(others: readonly Place[], now: number): void {
    this.now = now;
    for (const other of others) {
      if (other === this) continue;
      const batch = settlementBatch(this.ledger, other.location, now);
      if (batch !== null) other.take(batch, this, now);
    }
    deleteSettled(this.ledger, now);
  }

  eraseEntity(entity: string, before: number, now: number): void {
    this.now = now;
    this.ledger.commit(() => {
      this.ledger.observe(this.#site);
      this.ledger.eraseEntity('ada', entity, before);
    });
  }

  #call(now: number, updates: readonly CounterUpdate[]) {
    this.now = now;
    return { site: this.#site, customer: 'ada', now, updates, reads: [] };
  }

  get #site() {
    const { location } = this;
    return { environmentId: 'env_1', location, shard: 3, generation: 1, locations: this.#locations };
  }
}
