/**
 * Takes the records that other ledgers tell: what is newer replaces what is known, and own decisions give way where another
 * one under the same key stands. In any order, once or often, it comes to the same.
 */
import type { CustomerRecords, KeyRecord, MarkRecord } from '#contracts/ledger';
import { isCarried } from '#engine/ledger/carried-origin';
import type { CustomerMeters } from '#engine/ledger/customer-meters';
import type { UpdateRecords } from '#engine/ledger/decide-update';
import { areRivals, isOutdone } from '#engine/ledger/rival-keys';
import { heldAt, standingMark, withMark } from '#engine/ledger/standing-mark';
import { takeBack } from '#engine/ledger/take-back';
import type { LedgerSelf } from './ledger-self.ts';
import type { LedgerStore } from './ledger-store.ts';

/** What the merger needs of the ledger in whose transaction it works. */
export interface MergeLedger {
  readonly store: LedgerStore;
  readonly self: LedgerSelf;
  /** The customer's meters, to be stored when the transaction ends. */
  touch(customer: string): CustomerMeters;
  /** The customer's records, with own versions given as they are written. */
  recordsOf(customer: string): UpdateRecords;
}

/** The version as which peers are told of a record that was carried over to a customer here; else null. */
type Relay = () => number | null;

export class RecordMerger {
  readonly #ledger: MergeLedger;

  constructor(ledger: MergeLedger) {
    this.#ledger = ledger;
  }

  /** @returns other decisions than these under the same keys */
  merge({ customer, cells, marks, keys }: CustomerRecords, relay: Relay): KeyRecord[] {
    const { store, self } = this.#ledger;
    const origin = self.live();
    const meters = this.#ledger.touch(customer);
    for (const cell of cells) {
      const replaced = cell.origin === origin ? false : meters.put(cell);
      if (replaced === false) continue;
      for (const start of replaced) {
        if (start !== cell.start) store.deleteCell(customer, { ...cell, start });
      }
      store.putCell(customer, cell, relay());
    }
    for (const mark of marks) if (mark.origin !== origin) this.#mergeMark(meters, mark, relay);
    return keys.flatMap((key) => (key.origin === origin ? [] : this.#mergeKey(customer, key, relay)));
  }

  /** Lives of other ledgers that have ended: what was decided in them stands, and what rivals it here is taken back. */
  learnEnded(origins: readonly string[]): void {
    const { store, self } = this.#ledger;
    const { origin } = self;
    for (const ended of self.addEnded(origins)) {
      if (origin === null) continue;
      for (const { customer, text } of store.sharedKeys(origin, ended)) {
        const known = store.findKeys(customer, text);
        for (const key of known) if (key.origin === ended) this.#giveWay(customer, key, known);
      }
    }
  }

  /** @param others the resource's marks as they stood */
  putMark(customer: string, mark: MarkRecord, others: readonly MarkRecord[], relay: number | null): void {
    const standing = standingMark(withMark(others, mark));
    const heldBy = standing?.isHeld === true ? standing.origin : null;
    this.#ledger.store.putMark(customer, mark, heldBy, relay);
  }

  #mergeMark(meters: CustomerMeters, mark: MarkRecord, relay: Relay): void {
    const { identifier } = meters;
    const marks = this.#ledger.store.findMarks(identifier, mark.propertyId, mark.resourceId);
    const known = marks.find((each) => each.origin === mark.origin);
    if (known !== undefined && known.version >= mark.version) return;
    this.putMark(identifier, mark, marks, relay());
    const after = standingMark(withMark(marks, mark));
    meters.moveHeld(mark.propertyId, heldAt(standingMark(marks)), heldAt(after));
  }

  #mergeKey(customer: string, given: KeyRecord, relay: Relay): KeyRecord[] {
    const { store } = this.#ledger;
    const known = store.findKeys(customer, given.text);
    const same = known.find((each) => each.origin === given.origin && each.at === given.at);
    const isNews = same === undefined || same.version < given.version;
    if (isNews) store.putKey(customer, given, relay());
    const key = isNews ? given : same;
    this.#giveWay(customer, key, known);
    return known.filter((other) => !other.isTakenBack && areRivals(other, key));
  }

  /** Takes own decisions back that the other outdoes. */
  #giveWay(customer: string, key: KeyRecord, known: readonly KeyRecord[]): void {
    const { self } = this.#ledger;
    const isFinal = self.hasEnded(key.origin) || isCarried(key.origin);
    for (const own of known) {
      if (own.origin !== self.origin || own.isTakenBack || !isOutdone(own, key, isFinal)) continue;
      takeBack(this.#ledger.touch(customer), own, this.#ledger.recordsOf(customer));
    }
  }
}
