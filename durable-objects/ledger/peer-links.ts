/**
 * The ways to the other locations: sends what they do not have, again and again with growing pauses, and asks them for
 * customers that may be known there. What time it is, what waits and what chance says come from outside.
 */
import type {
  DrainProgress,
  LedgerCopyPage,
  LedgerCopyRequest,
  LedgerPush,
  LedgerPushAnswer,
  LedgerSite,
} from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import { BackOff } from './back-off.ts';
import {
  closingWord,
  drainProgress,
  endLife,
  finishPush,
  nextHandOver,
  nextPush,
  type PartCustomer,
  speaker,
  takePage,
} from './exchange.ts';
import type { LocalLedger } from './local-ledger.ts';

export interface PeerEffects {
  /** @param site the asked ledger, as the asking one knows it */
  receive(site: LedgerSite, push: LedgerPush): Promise<LedgerPushAnswer>;
  copy(site: LedgerSite, request: LedgerCopyRequest): Promise<LedgerCopyPage>;
  hearClosed(site: LedgerSite, word: LedgerPush): Promise<void>;
  now(): number;
  /** From 0 to 1. */
  random(): number;
  wait(ms: number): Promise<void>;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** How long changes are gathered before they are sent. */
const GATHER_MS = 250;
/** How long a caller waits for what peers know of a customer that is used here for the first time. */
const COPY_MS = 500;
/** Pushes to one peer in one go; the alarm comes again for the rest. */
const MOST_PUSHES = 50;
const WARNED_AFTER = 5;

export class PeerLinks {
  readonly #ledger: LocalLedger;
  readonly #effects: PeerEffects;
  readonly #sending = new Map<Location, BackOff>();
  readonly #copying = new Map<Location, BackOff>();
  readonly #copies = new Map<string, Promise<void>>();

  constructor(ledger: LocalLedger, effects: PeerEffects) {
    this.#ledger = ledger;
    this.#effects = effects;
  }

  /** When the next push is due; null where all peers have everything. */
  dueAt(): number | null {
    const now = this.#effects.now();
    let dueAt: number | null = null;
    for (const peer of this.#ledger.self.peers) {
      if (peer.cursor >= this.#ledger.self.sequence) continue;
      const at = Math.max(now + GATHER_MS, this.#sending.get(peer.location)?.until ?? 0);
      dueAt = Math.min(dueAt ?? at, at);
    }
    return dueAt;
  }

  /** Sends every peer what it does not have, but for those that just failed. Never throws. */
  async send(): Promise<void> {
    const now = this.#effects.now();
    const ready = this.#ledger.self.peers.filter(
      (peer) => (this.#sending.get(peer.location)?.until ?? 0) <= now,
    );
    await Promise.all(ready.map(({ location }) => this.#sendTo(location)));
  }

  /** Of a ledger that is closing: sends every peer all it has, also to those that just failed. */
  async drain(): Promise<DrainProgress> {
    await Promise.all(
      this.#ledger.self.peers.map(async ({ location }) => {
        await this.#sendTo(location);
        await this.#handOverTo(location);
      }),
    );
    return drainProgress(this.#ledger);
  }

  /**
   * Of a ledger that has handed over everything: ends its life and tells the others, to be repeated until all have heard.
   * @returns whether they have
   */
  async close(): Promise<boolean> {
    if (!endLife(this.#ledger)) return false;
    const word = closingWord(this.#ledger);
    const told = (this.#ledger.self.site?.locations ?? []).map(async (location) => {
      try {
        await this.#effects.hearClosed(this.#siteOf(location), word);
        return true;
      } catch (error) {
        this.#note(this.#sending, location, error, 'ledger.closing-failed');
        return false;
      }
    });
    return (await Promise.all(told)).every(Boolean);
  }

  /** Copies what peers know of a customer that may not be here, for as long as a caller can wait. Never throws. */
  async copy(customer: string): Promise<void> {
    const now = this.#effects.now();
    const asked = this.#ledger.peersToCopy(customer, now);
    const ready = asked.filter((location) => (this.#copying.get(location)?.until ?? 0) <= now);
    if (ready.length === 0) return;
    const copies = ready.map((location) => this.#copyOnce(customer, location));
    await Promise.race([Promise.all(copies), this.#effects.wait(COPY_MS)]);
  }

  async #sendTo(location: Location): Promise<void> {
    await this.#unlessItFails(location, async () => {
      for (let count = 0; count < MOST_PUSHES; count++) {
        const push = nextPush(this.#ledger, location, this.#effects.now());
        if (push === null || !(await this.#push(location, push))) return;
      }
    });
  }

  async #handOverTo(location: Location): Promise<void> {
    await this.#unlessItFails(location, async () => {
      let part: PartCustomer | null = null;
      for (let count = 0; count < MOST_PUSHES || part !== null; count++) {
        const next = nextHandOver(this.#ledger, location, this.#effects.now(), part);
        if (next === null || !(await this.#push(location, next.push))) return;
        part = next.part;
      }
    });
  }

  /** False: the location is turned off. */
  async #push(location: Location, push: LedgerPush): Promise<boolean> {
    const answer = await this.#effects.receive(this.#siteOf(location), push);
    finishPush(this.#ledger, location, push, answer);
    return answer.kind === 'taken';
  }

  async #unlessItFails(location: Location, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#sending.delete(location);
    } catch (error) {
      this.#note(this.#sending, location, error, 'ledger.push-failed');
    }
  }

  /** One copy at a time for a customer and peer, however many callers wait for it. */
  #copyOnce(customer: string, location: Location): Promise<void> {
    const name = JSON.stringify([location, customer]);
    let copy = this.#copies.get(name);
    if (copy === undefined) {
      copy = this.#copyFrom(customer, location).finally(() => this.#copies.delete(name));
      this.#copies.set(name, copy);
    }
    return copy;
  }

  async #copyFrom(customer: string, location: Location): Promise<void> {
    const startedAt = this.#effects.now();
    try {
      const from = speaker(this.#ledger);
      let after: LedgerCopyRequest['after'] = null;
      do {
        const page = await this.#effects.copy(this.#siteOf(location), { from, customer, after });
        takePage(this.#ledger, location, page, startedAt);
        after = page.next;
      } while (after !== null);
      this.#copying.delete(location);
    } catch (error) {
      this.#note(this.#copying, location, error, 'ledger.copy-failed');
    }
  }

  #siteOf(location: Location): LedgerSite {
    const { site } = this.#ledger.self;
    if (site === null) throw new Error('A ledger has peers only after it was told where it is');
    return { ...site, location };
  }

  #note(backOffs: Map<Location, BackOff>, location: Location, error: unknown, message: string): void {
    const backOff = backOffs.get(location) ?? new BackOff(this.#effects);
    backOffs.set(location, backOff);
    const failures = backOff.fail();
    if (failures === WARNED_AFTER) this.#effects.warn(message, { location, failures, error });
  }
}
