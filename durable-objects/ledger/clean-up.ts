/**
 * When the alarm deletes expired keys and releases (delete-settled.ts). Peers that have nothing to send are asked how far they are
 * settled: without that, a location in which nothing is counted would keep its records for ever.
 */
import type { LedgerSite, Regions } from '#contracts/internal/ledger';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#engine/durations';
import { DECISIONS_KEPT_MS } from '#engine/ledger/conflicting-decisions';
import { type Deletions, deleteSettled } from './delete-settled.ts';
import type { LocalLedger } from './local-ledger.ts';
import type { PeerReplicator } from './peer-replicator.ts';
import { observeRegions } from './replication.ts';

export interface CleanUpEffects {
  /** The regions that the replica of the site's location knows; null: nothing was published there. */
  regions(site: LedgerSite): Promise<Regions | null>;
  now(): number;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Expired records are gathered, so that an object in use cleans up once an hour. */
const GATHER_MS = HOUR_MS;
/** What cannot be deleted yet is tried again: a location is not reachable, or an alias may be merged again. */
const RETRY_MS = DAY_MS;
const CONTINUE_MS = 250;

export class CleanUp {
  readonly #ledger: LocalLedger;
  readonly #peers: PeerReplicator;
  readonly #effects: CleanUpEffects;
  /** Null: nothing to delete was stored when the ledger had made `#commits`. */
  #dueAt: number | null = null;
  #commits = -1;

  constructor(ledger: LocalLedger, peers: PeerReplicator, effects: CleanUpEffects) {
    this.#ledger = ledger;
    this.#peers = peers;
    this.#effects = effects;
  }

  /** When something may be deleted; null if no key or release is stored. */
  dueAt(): number | null {
    const now = this.#effects.now();
    // What is kept for longer than a key, such as a period, is no reason to keep keys that are written meanwhile.
    const isKnown = this.#dueAt !== null && this.#dueAt <= now + DECISIONS_KEPT_MS + GATHER_MS;
    if (isKnown || this.#commits === this.#ledger.commits) return this.#dueAt;
    this.#commits = this.#ledger.commits;
    const oldest = this.#oldest();
    this.#dueAt = oldest === null ? null : fullHourAfter(oldest + DECISIONS_KEPT_MS, now);
    return this.#dueAt;
  }

  /** Deletes what may be deleted, if that is due. Never throws. */
  async run(): Promise<void> {
    const now = this.#effects.now();
    if ((this.dueAt() ?? Number.POSITIVE_INFINITY) > now) return;
    try {
      const oldest = this.#oldest();
      if (oldest !== null) await this.#meetPeers(oldest, now);
      this.#planAfter(deleteSettled(this.#ledger, now), now);
    } catch (error) {
      this.#dueAt = now + GATHER_MS;
      this.#effects.warn('ledger.clean-up-failed', { error });
    }
  }

  /**
   * Learns how far peers are settled. A ledger without any may not have been told of a location that was enabled, where a retry may be
   * accepted: it asks its location's replica.
   * @throws if the replica does not answer
   */
  async #meetPeers(oldest: number, now: number): Promise<void> {
    const { state } = this.#ledger;
    const { site } = state;
    if (state.peers.length === 0 && site !== null) {
      const regions = await this.#effects.regions(site);
      if (regions !== null) this.#ledger.commit(() => observeRegions(this.#ledger, regions));
    }
    if (state.settledEverywhereAt(now) - DECISIONS_KEPT_MS <= oldest) await this.#peers.exchangeSettlement();
  }

  #planAfter({ count, isMore }: Deletions, now: number): void {
    this.#commits = this.#ledger.commits;
    if (isMore && count > 0) this.#dueAt = now + CONTINUE_MS;
    else this.#plan(count > 0 ? GATHER_MS : RETRY_MS);
  }

  #plan(pauseMs: number): void {
    const oldest = this.#oldest();
    this.#dueAt =
      oldest === null ? null : Math.max(oldest + DECISIONS_KEPT_MS, this.#effects.now()) + pauseMs;
  }

  #oldest(): number | null {
    const { store, state } = this.#ledger;
    return state.isStored ? store.oldestSettling() : null;
  }
}

/**
 * A full hour after records have expired: the same for every instance of an object that sleeps meanwhile, so that none puts it off. The last
 * one counts for a minute, in which its alarm wakes the object.
 */
function fullHourAfter(expiredAt: number, now: number): number {
  const hours = Math.ceil((now - MINUTE_MS - expiredAt) / GATHER_MS);
  return expiredAt + Math.max(1, hours) * GATHER_MS;
}
