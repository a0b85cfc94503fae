/**
 * Replicates to the ledgers of other locations, with back-off, and copies customers from them. Clock, randomness and
 * RPC are effects.
 */
import type {
  HandoffProgress,
  LedgerCopyPage,
  LedgerCopyRequest,
  LedgerSite,
  ReplicationAck,
  ReplicationBatch,
  RetirementAnswer,
} from '#contracts/internal/ledger';
import type { Location } from '#contracts/public/locations';
import { BackOff } from '#engine/back-off';
import { CALL_PAUSES_MS, InFlight, LOOK_AGAIN_MS } from '../lib/in-flight.ts';
import { copierOf, mergeCopyPage } from './copy-pages.ts';
import {
  acknowledgeNotice,
  handoffProgress,
  nextHandoff,
  type PartialHandoff,
  retireIncarnation,
  retirementNotice,
} from './handoff.ts';
import type { StoredPeer } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';
import { acknowledgeBatch, nextBatch, settlementBatch } from './replication.ts';

export interface PeerEffects {
  /** @param site the called ledger, as the caller knows it */
  receive(site: LedgerSite, batch: ReplicationBatch): Promise<ReplicationAck>;
  copy(site: LedgerSite, request: LedgerCopyRequest): Promise<LedgerCopyPage>;
  /** @returns undefined: the peer runs an earlier version */
  observeRetirement(site: LedgerSite, notice: ReplicationBatch): Promise<RetirementAnswer | undefined>;
  now(): number;
  /** In [0, 1). */
  random(): number;
  wait(ms: number): Promise<void>;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** How long a caller waits for copies of a customer that is used here for the first time. */
const COPY_MS = 500;
/** Batches per peer and run; the alarm runs again for the rest. */
const MAX_BATCHES = 50;
/** How long a handoff begins further batches: its caller waits, and calls again. */
const HANDOFF_MS = 10_000;
const WARNED_AFTER = 5;
/** From then on, locations divide what is left (engine/ledger/outage-shares.ts). */
const SILENT_MS = 10_000;

export class PeerReplicator {
  readonly #ledger: LocalLedger;
  readonly #effects: PeerEffects;
  readonly #sending = new Map<Location, BackOff>();
  readonly #sends = new InFlight<Location, void>();
  /** When the first message was sent that a peer has not answered yet. */
  readonly #unheardSince = new Map<Location, number>();
  readonly #copying = new Map<Location, BackOff>();
  readonly #copies = new Map<string, Promise<void>>();
  /** Peers that have retired, by the generation in which they said so: they take nothing until the regions change. */
  readonly #moved = new Map<Location, number>();
  /** When a peer last sent a page of a copy. */
  readonly #heardAt = new Map<Location, number>();

  constructor(ledger: LocalLedger, effects: PeerEffects) {
    this.#ledger = ledger;
    this.#effects = effects;
  }

  /** Whether a peer that has to learn something has not answered for SILENT_MS. */
  get isPeerSilent(): boolean {
    const before = this.#effects.now() - SILENT_MS;
    // Each update asks, and mostly no peer has been unheard for so long.
    for (const [unheard, since] of this.#unheardSince)
      if (since <= before && this.#takers.some(({ location }) => location === unheard)) return true;
    return false;
  }

  /** When the next batch is due; null when all peers have everything. */
  dueAt(): number | null {
    const now = this.#effects.now();
    let dueAt: number | null = null;
    for (const peer of this.#takers) {
      if (peer.cursor >= this.#ledger.state.sequence) continue;
      const pauseMs = this.#sends.has(peer.location) ? LOOK_AGAIN_MS : 0;
      const at = Math.max(now + pauseMs, this.#sending.get(peer.location)?.until ?? 0);
      dueAt = Math.min(dueAt ?? at, at);
    }
    return dueAt;
  }

  /** Sends all pending changes to every peer, except those backing off. Never throws. */
  async replicate(): Promise<void> {
    const now = this.#effects.now();
    const ready = this.#takers.filter((peer) => (this.#sending.get(peer.location)?.until ?? 0) <= now);
    await Promise.all(ready.map(({ location }) => this.#sendTo(location)));
  }

  /** Learns how far the peers are settled, and tells them the same of this ledger. Never throws. */
  async exchangeSettlement(): Promise<void> {
    await Promise.all(
      this.#takers.map(({ location }) =>
        this.#unlessItFails(location, async () => {
          const batch = settlementBatch(this.#ledger, location, this.#effects.now());
          if (batch !== null) await this.#deliver(location, batch);
        }),
      ),
    );
  }

  /** Hands off everything to every peer, including those backing off. */
  async drain(): Promise<HandoffProgress> {
    await Promise.all(
      this.#ledger.state.enabledPeers.map(async ({ location }) => {
        await this.#sendTo(location);
        await this.#handOffTo(location);
      }),
    );
    return handoffProgress(this.#ledger);
  }

  /**
   * Retires the incarnation after a complete handoff and announces it to the enabled locations. Repeat until it returns true.
   * @returns whether all have received the announcement; they may have answered that more is to be handed off
   */
  async retire(): Promise<boolean> {
    if (!retireIncarnation(this.#ledger)) return false;
    const notice = retirementNotice(this.#ledger);
    const announced = (this.#ledger.state.site?.locations ?? []).map(async (location) => {
      try {
        const answer = await this.#effects.observeRetirement(this.#siteOf(location), notice);
        acknowledgeNotice(this.#ledger, location, answer);
        return true;
      } catch (error) {
        this.#note(this.#sending, location, error, 'ledger.retiring-failed');
        return false;
      }
    });
    return (await Promise.all(announced)).every(Boolean);
  }

  /** Copies a customer from the peers that may know it, waiting COPY_MS at most. Never throws. */
  async copy(customer: string): Promise<void> {
    const now = this.#effects.now();
    const missing = this.#ledger.copies.peersToCopy(customer);
    const ready = missing.filter((location) => (this.#copying.get(location)?.until ?? 0) <= now);
    if (ready.length === 0) return;
    const copies = ready.map((location) => this.#copyOnce(customer, location));
    await Promise.race([Promise.all(copies), this.#effects.wait(COPY_MS)]);
    for (const location of ready) this.#noteSilence(customer, location, now);
  }

  /** A peer that sent nothing meanwhile is treated as one that failed: the next caller does not wait for it. */
  #noteSilence(customer: string, location: Location, since: number): void {
    const name = copyName(customer, location);
    if (!this.#copies.has(name) || (this.#heardAt.get(location) ?? 0) >= since) return;
    this.#copies.delete(name);
    this.#noteCopy(location, new Error('The peer did not answer in time'));
  }

  /** The peers to send changes to. */
  get #takers(): readonly StoredPeer[] {
    const { peers, site } = this.#ledger.state;
    if (this.#moved.size === 0) return peers;
    return peers.filter(({ location }) => (this.#moved.get(location) ?? -1) < (site?.generation ?? 0));
  }

  #sendTo(location: Location): Promise<void> {
    return this.#sends.run(location, () =>
      this.#unlessItFails(location, async () => {
        for (let count = 0; count < MAX_BATCHES; count++) {
          const batch = nextBatch(this.#ledger, location, this.#effects.now());
          if (batch === null || !(await this.#deliver(location, batch))) return;
        }
      }),
    );
  }

  async #handOffTo(location: Location): Promise<void> {
    await this.#unlessItFails(location, async () => {
      const endsAt = this.#effects.now() + HANDOFF_MS;
      let part: PartialHandoff | null = null;
      while (this.#effects.now() < endsAt || part !== null) {
        const next = nextHandoff(this.#ledger, location, this.#effects.now(), part);
        if (next === null || !(await this.#deliver(location, next.batch))) return;
        part = next.part;
      }
    });
  }

  /** False: the peer's location is disabled. */
  async #deliver(location: Location, batch: ReplicationBatch): Promise<boolean> {
    const answer = await this.#effects.receive(this.#siteOf(location), batch);
    acknowledgeBatch(this.#ledger, location, batch, answer);
    if (answer.kind === 'moved') this.#moved.set(location, answer.generation);
    return answer.kind === 'taken';
  }

  async #unlessItFails(location: Location, work: () => Promise<void>): Promise<void> {
    if (!this.#unheardSince.has(location)) this.#unheardSince.set(location, this.#effects.now());
    try {
      await work();
      this.#sending.delete(location);
      this.#unheardSince.delete(location);
    } catch (error) {
      this.#note(this.#sending, location, error, 'ledger.replication-failed');
    }
  }

  /** One concurrent copy per customer and peer, shared by all waiting callers. */
  #copyOnce(customer: string, location: Location): Promise<void> {
    const name = copyName(customer, location);
    const known = this.#copies.get(name);
    if (known !== undefined) return known;
    const copy = this.#copyFrom(customer, location).finally(() => {
      if (this.#copies.get(name) === copy) this.#copies.delete(name);
    });
    this.#copies.set(name, copy);
    return copy;
  }

  async #copyFrom(customer: string, location: Location): Promise<void> {
    try {
      // An earlier version registers nobody before its first count or batch.
      if (!(await this.#copyPages(customer, location)) && (await this.#introduce(location))) {
        await this.#copyPages(customer, location);
      }
      this.#copying.delete(location);
    } catch (error) {
      this.#noteCopy(location, error);
    }
  }

  /** @returns whether the peer pushes what follows */
  async #copyPages(customer: string, location: Location): Promise<boolean> {
    if (!this.#ledger.state.isOpen) return false;
    const from = copierOf(this.#ledger);
    let after: LedgerCopyRequest['after'] = null;
    for (;;) {
      const page = await this.#effects.copy(this.#siteOf(location), { from, customer, after });
      this.#heardAt.set(location, this.#effects.now());
      mergeCopyPage(this.#ledger, location, page);
      after = page.next;
      if (after === null) return page.isRegistered;
    }
  }

  /** Sends the next batch, or an empty one. False: the peer's location is disabled. */
  async #introduce(location: Location): Promise<boolean> {
    if (!this.#ledger.state.peers.some((peer) => peer.location === location)) return false;
    const now = this.#effects.now();
    const batch = nextBatch(this.#ledger, location, now) ?? settlementBatch(this.#ledger, location, now);
    return batch !== null && this.#deliver(location, batch);
  }

  /** Copies of many customers may fail together: that is one failure. */
  #noteCopy(location: Location, error: unknown): void {
    if (this.#copying.get(location)?.isOver ?? true) {
      this.#note(this.#copying, location, error, 'ledger.copy-failed');
    }
  }

  #siteOf(location: Location): LedgerSite {
    const { site } = this.#ledger.state;
    if (site === null) throw new Error('A ledger has peers only after it was announced where it is');
    return { ...site, location };
  }

  #note(backOffs: Map<Location, BackOff>, location: Location, error: unknown, message: string): void {
    const backOff = backOffs.get(location) ?? new BackOff(CALL_PAUSES_MS, this.#effects);
    backOffs.set(location, backOff);
    const failures = backOff.fail();
    if (failures === WARNED_AFTER) this.#effects.warn(message, { location, failures, error });
  }
}

function copyName(customer: string, location: Location): string {
  return JSON.stringify([location, customer]);
}
