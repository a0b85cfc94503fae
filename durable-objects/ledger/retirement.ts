/**
 * How the ledger of a disabled location ends: it hands off, retires and deletes its data. Each step may take long, and meanwhile the
 * location may be enabled again, so deleting is decided in the transaction that deletes. See durable-objects/README.md, "Retiring a
 * location".
 */
import type { HandoffProgress, LedgerSite } from '#contracts/internal/ledger';
import { eraseRetired } from './handoff.ts';
import type { LocalLedger } from './local-ledger.ts';
import type { PeerReplicator } from './peer-replicator.ts';

/** The events of counted updates. */
interface Events {
  /** Delivers them. @returns whether all are delivered */
  flush(): Promise<boolean>;
  readonly isEmpty: boolean;
}

export class Retirement {
  readonly #ledger: LocalLedger;
  readonly #peers: PeerReplicator;
  readonly #events: Events;

  constructor(ledger: LocalLedger, peers: PeerReplicator, events: Events) {
    this.#ledger = ledger;
    this.#peers = peers;
    this.#events = events;
  }

  /**
   * Hands off everything to the enabled locations. Repeat until drained.
   * @param site a generation in which the location is disabled; calls are redirected from now on
   */
  async drain(site: LedgerSite): Promise<HandoffProgress> {
    this.#ledger.commit(() => this.#ledger.observe(site));
    if (this.#ledger.state.isOpen) return { isDrained: false, waitingFor: [] };
    return this.#peers.drain();
  }

  /**
   * Hands off, retires and deletes all data. Only the fact that the location is disabled remains.
   * @param site the generation for which this was ordered: what has changed since is decided by another order
   * @param evenUndrained the environment is deleted: no peer needs the data
   * @returns false if nothing was deleted: a peer or the event stream does not have everything yet, or the locations have changed
   */
  async erase(site: LedgerSite, evenUndrained: boolean): Promise<boolean> {
    const { isDrained } = await this.drain(site);
    if (!isDrained && !evenUndrained) return false;
    if (!(await this.#events.flush())) return false;
    const isDelivered = () => this.#events.isEmpty;
    if (evenUndrained) {
      return this.#ledger.erase(
        () => this.#ledger.state.site?.generation === site.generation && isDelivered(),
      );
    }
    return (await this.#peers.retire()) && eraseRetired(this.#ledger, site.generation, isDelivered);
  }
}
