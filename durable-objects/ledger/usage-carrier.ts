/**
 * The way from the ledgers of other names to those of their customers, in the same data location: carries what has changed,
 * again and again with growing pauses until it was taken. What time it is and what chance says come from outside.
 */
import type { CopyPosition, CustomerRecords, LedgerAdoption, LedgerSite } from '#contracts/ledger';
import { shardOf } from '#engine/ledger/shard-of';
import { BackOff } from './back-off.ts';
import { adoptUsage, finishCarry, finishPage, nextCarry } from './carry-usage.ts';
import type { StoredLink } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';

export interface CarryEffects {
  /** @param site the customer's ledger */
  adopt(site: LedgerSite, records: CustomerRecords): Promise<LedgerAdoption>;
  now(): number;
  /** From 0 to 1. */
  random(): number;
  wait(ms: number): Promise<void>;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** How long changes are gathered before they are carried. */
const GATHER_MS = 250;
/** Names in one go; the alarm comes again for the rest. */
const MOST_NAMES = 100;
/** How long a caller waits who has just said whose name it is. */
const FIRST_CARRY_MS = 500;
const WARNED_AFTER = 5;

export class UsageCarrier {
  readonly #ledger: LocalLedger;
  readonly #effects: CarryEffects;
  readonly #backOff: BackOff;

  constructor(ledger: LocalLedger, effects: CarryEffects) {
    this.#ledger = ledger;
    this.#effects = effects;
    this.#backOff = new BackOff(effects);
  }

  /** When something is to be carried; null: everything was. */
  dueAt(): number | null {
    if (!this.#isAnyDue) return null;
    return Math.max(this.#effects.now() + GATHER_MS, this.#backOff.until);
  }

  /** Carries what has changed, unless it just failed. Never throws. */
  async carry(): Promise<void> {
    if (!this.#isAnyDue || !this.#backOff.isOver) return;
    try {
      for (const link of this.#ledger.store.uncarried(MOST_NAMES)) await this.#carryOne(link);
      this.#ledger.recheckUncarried();
      this.#backOff.succeed();
    } catch (error) {
      const failures = this.#backOff.fail();
      if (failures === WARNED_AFTER) this.#effects.warn('ledger.carry-failed', { failures, error });
    }
  }

  /** The same, for as long as a caller can wait. */
  async carryFirst(): Promise<void> {
    await Promise.race([this.carry(), this.#effects.wait(FIRST_CARRY_MS)]);
  }

  /** @throws where it could not be carried whole */
  async #carryOne(link: StoredLink): Promise<void> {
    const { site } = this.#ledger.self;
    if (site?.shards === undefined) throw new Error('How many ledgers there are is not known yet');
    const { shards } = site;
    const theirs = { ...site, shard: shardOf(link.target, shards) };
    let after: CopyPosition | null = null;
    do {
      const { records, next } = nextCarry(this.#ledger, link, after);
      const answer =
        theirs.shard === site.shard
          ? adoptUsage(this.#ledger, theirs, records)
          : await this.#effects.adopt(theirs, records);
      if (answer.kind === 'moved') throw new Error('The data location is turned off');
      finishPage(this.#ledger, link, answer);
      after = next;
    } while (after !== null);
    finishCarry(this.#ledger, link);
  }

  /** A location that is turned off hands over what it has with the links, and others carry it. */
  get #isAnyDue(): boolean {
    const { hasUncarried, self } = this.#ledger;
    return hasUncarried && self.isOpen && self.site?.shards !== undefined;
  }
}
