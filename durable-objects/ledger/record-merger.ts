/**
 * Merges records of other ledgers (state-based CRDT): the higher version wins, and own decisions that lose a conflict
 * are reverted. Commutative, associative and idempotent.
 */
import type { CustomerRecords, KeyRecord, Register, ResourceUse } from '#contracts/internal/ledger';
import { readAccount } from '#engine/ledger/account';
import { isAliasOrigin, nameOf } from '#engine/ledger/alias-origin';
import { areConflicting, losesTo } from '#engine/ledger/conflicting-decisions';
import type { CustomerMeters } from '#engine/ledger/customer-meters';
import { ERASED, erasedBefore, withoutErased } from '#engine/ledger/erased-entities';
import { HOLD, isLater, lastHold } from '#engine/ledger/holds';
import { PERIOD, periodsOf } from '#engine/ledger/periods';
import { currentUse, lastUsedAt, withUse } from '#engine/ledger/resource-use';
import { revertDecision } from '#engine/ledger/revert-decision';
import type { UpdateRecords } from '#engine/ledger/update-records';
import type { LedgerStore } from './ledger-store.ts';
import type { ReplicationState } from './replication-state.ts';

/** The ledger in whose transaction records are merged. */
export interface MergeLedger {
  readonly store: LedgerStore;
  readonly state: ReplicationState;
  /** The customer's meters; they are stored at the end of the transaction. */
  touch(customer: string): CustomerMeters;
  /** The customer's records; writes get own versions. */
  recordsOf(customer: string): UpdateRecords;
  /** Has the name's ledgers revert what they accepted under the key: the customer's decision is final. */
  overrule(customer: string, name: string, key: string): void;
  /** Erases what was counted for one of the customer's entities before an instant. */
  erase(customer: string, entity: string, before: number): void;
}

/** Assigns the version under which a merged alias record replicates to peers; null for all other records. */
type Relay = () => number | null;

export class RecordMerger {
  readonly #ledger: MergeLedger;

  constructor(ledger: MergeLedger) {
    this.#ledger = ledger;
  }

  /**
   * @param retired incarnations whose records are final in the version that is merged
   * @returns conflicting decisions under the same keys
   */
  merge(given: CustomerRecords, retired: readonly string[], relay: Relay): KeyRecord[] {
    const { customer, buckets, holds, keys, registers = [] } = this.#withoutErased(given);
    const { store, state } = this.#ledger;
    const origin = state.liveOrigin();
    const meters = this.#ledger.touch(customer);
    for (const bucket of buckets) {
      const replaced = bucket.origin === origin ? false : meters.put(bucket);
      if (replaced === false) continue;
      for (const start of replaced) {
        if (start !== bucket.start) store.deleteBucket(customer, { ...bucket, start });
      }
      store.putBucket(customer, bucket, relay());
    }
    for (const use of holds) if (use.origin !== origin) this.#mergeUse(meters, use, relay);
    for (const each of registers) if (each.origin !== origin) this.#mergeRegister(meters, each, relay);
    return keys.flatMap((key) =>
      key.origin === origin ? [] : this.#mergeKey(customer, key, retired.includes(key.origin), relay),
    );
  }

  #withoutErased(records: CustomerRecords): CustomerRecords {
    const { customer, entity } = readAccount(records.customer);
    if (entity === undefined) return records;
    const erased = this.#ledger.store.findRegisters(customer, { kind: ERASED, name: entity });
    return withoutErased(records, erasedBefore(erased));
  }

  /**
   * Processes retirements of incarnations of which this ledger has everything: their decisions are final. Own ones that conflict are
   * reverted, and the peers are told, of which one may have accepted the same key without knowing it.
   */
  observeRetired(origins: readonly string[]): void {
    const { store, state } = this.#ledger;
    for (const retired of state.addRetired(origins)) {
      for (const { customer, text } of store.contestedKeys(retired)) {
        const known = store.findKeys(customer, text);
        for (const key of known) {
          if (key.origin !== retired) continue;
          this.#revertLosers(customer, key, known, true);
          this.#overruleNames(customer, key, known);
          const isContested = known.some(
            (other) =>
              other.origin !== state.origin && isUndecided(other, key) && !state.isRetired(other.origin),
          );
          if (isContested && state.origin !== null) store.putKey(customer, key, state.nextVersion());
        }
      }
    }
  }

  /** @param others the resource's uses before this write */
  putUse(customer: string, use: ResourceUse, others: readonly ResourceUse[], relay: number | null): void {
    const uses = withUse(others, use);
    const winner = currentUse(uses);
    const usedBy = winner?.isHeld === true ? winner.origin : null;
    const isKept = uses.some(({ origin }) => isAliasOrigin(origin));
    this.#ledger.store.putUse(customer, use, usedBy, isKept, relay);
  }

  #mergeUse(meters: CustomerMeters, use: ResourceUse, relay: Relay): void {
    const { identifier } = meters;
    const uses = this.#ledger.store.findUses(identifier, use.propertyId, use.resourceId);
    const known = uses.find((each) => each.origin === use.origin);
    if (known !== undefined && known.version >= use.version) return;
    this.putUse(identifier, use, uses, relay());
    const after = currentUse(withUse(uses, use));
    meters.moveUse(use.propertyId, lastUsedAt(currentUse(uses)), lastUsedAt(after));
  }

  #mergeRegister(meters: CustomerMeters, given: Register, relay: Relay): void {
    const { store } = this.#ledger;
    const { identifier } = meters;
    const known = store.findRegisters(identifier, given);
    const own = known.find(({ origin }) => origin === given.origin);
    if (own !== undefined && own.version >= given.version) return;
    const isOver = known.some((each) => !each.isOpen && isLater(each, given));
    store.putRegister(identifier, isOver ? { ...given, isOpen: false } : given, relay());
    const { kind, name, stamp } = given;
    if (kind === ERASED && erasedBefore(known) < stamp) this.#ledger.erase(identifier, name, stamp);
    if (given.kind === PERIOD) for (const each of periodsOf([given])) meters.periods?.put(each);
    if (given.kind !== HOLD) return;
    const last = lastHold([...known.filter((each) => each !== own), given]);
    if (last !== null) meters.putHold(last.hold);
  }

  #mergeKey(customer: string, given: KeyRecord, isFinalNow: boolean, relay: Relay): KeyRecord[] {
    const { store } = this.#ledger;
    const known = store.findKeys(customer, given.text);
    const same = known.find((each) => each.origin === given.origin && each.at === given.at);
    const isNewer = same === undefined || same.version < given.version;
    if (isNewer) store.putKey(customer, given, relay());
    const key = isNewer ? given : same;
    const isFinal = this.#isFinal(key) || (isFinalNow && key.version === given.version);
    if (isNewer) {
      this.#tellLosers(customer, key, known, isFinal);
      this.#overruleNames(customer, key, known);
    }
    this.#revertLosers(customer, key, known, isFinal);
    return known.filter((other) => !other.isReverted && areConflicting(other, key));
  }

  /** Whether the decision can no longer be reverted. */
  #isFinal({ origin }: KeyRecord): boolean {
    return this.#ledger.state.isRetired(origin) || isAliasOrigin(origin);
  }

  /**
   * Of two other ledgers' decisions, the one that wins goes to all peers: the ledger that has to revert the other one may not know it,
   * because the two never met.
   */
  #tellLosers(customer: string, key: KeyRecord, known: readonly KeyRecord[], isFinal: boolean): void {
    const { store, state } = this.#ledger;
    for (const other of known) {
      if (other.origin === state.origin || !isUndecided(other, key)) continue;
      const winner = losesTo(key, other, this.#isFinal(other)) && !isFinal ? other : key;
      store.putKey(customer, winner, state.nextVersion());
    }
  }

  /** A final decision wins over one that was made under another name, whose ledgers may not know it. */
  #overruleNames(customer: string, key: KeyRecord, known: readonly KeyRecord[]): void {
    for (const other of known) {
      if (!isUndecided(other, key)) continue;
      const [isOver, isOtherOver] = [key, other].map(({ origin }) => this.#ledger.state.isRetired(origin));
      const name = isOver ? nameOf(other.origin) : isOtherOver ? nameOf(key.origin) : null;
      if (name !== null) this.#ledger.overrule(customer, name, key.text);
    }
  }

  /** Reverts own decisions that lose to `key`. */
  #revertLosers(customer: string, key: KeyRecord, known: readonly KeyRecord[], isFinal: boolean): void {
    const { state } = this.#ledger;
    for (const own of known) {
      if (own.origin !== state.origin || own.isReverted || !losesTo(own, key, isFinal)) continue;
      revertDecision(this.#ledger.touch(customer), own, this.#ledger.recordsOf(customer));
    }
  }
}

function isUndecided(one: KeyRecord, other: KeyRecord): boolean {
  return areConflicting(one, other) && !one.isReverted && !other.isReverted;
}
