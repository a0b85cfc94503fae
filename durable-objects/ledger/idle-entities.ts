/** When the alarm looks for entities that nobody has used for long (remove-idle-entities.ts): once a day, a part at a time. */
import type { LedgerSite } from '#contracts/internal/ledger';
import { DAY_MS, MINUTE_MS } from '#engine/durations';
import { type EntityReach, IDLE_MS } from '#engine/ledger/idle-entities';
import type { LocalLedger } from './local-ledger.ts';
import type { PeerReplicator } from './peer-replicator.ts';
import { removeIdleEntities } from './remove-idle-entities.ts';

export interface IdleEntityEffects {
  /** What the deployed version limits each entity by; null: nothing was published in the site's location. */
  entityReaches(site: LedgerSite): Promise<readonly EntityReach[] | null>;
  now(): number;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

const CONTINUE_MS = 250;

export class IdleEntities {
  readonly #ledger: LocalLedger;
  readonly #peers: PeerReplicator;
  readonly #effects: IdleEntityEffects;
  /** Null: no entity is stored. Undefined: nobody has looked. */
  #dueAt: number | null | undefined;
  /** Number of the last account that this turn has looked at. */
  #after = 0;
  #reaches: readonly EntityReach[] = [];

  constructor(ledger: LocalLedger, peers: PeerReplicator, effects: IdleEntityEffects) {
    this.#ledger = ledger;
    this.#peers = peers;
    this.#effects = effects;
  }

  /** When the next accounts are to be looked at; null without any. One that was made since the last alarm is none yet. */
  dueAt(): number | null {
    if (this.#dueAt === undefined) this.#plan();
    return this.#dueAt ?? null;
  }

  /** Looks at some accounts, if that is due. Never throws. */
  async run(): Promise<void> {
    const now = this.#effects.now();
    const dueAt = this.dueAt();
    if (dueAt === null || dueAt > now) {
      if (dueAt === null) this.#plan();
      return;
    }
    try {
      if (this.#after === 0) await this.#begin(now);
      this.#after = removeIdleEntities(this.#ledger, this.#after, this.#reaches, now) ?? 0;
    } catch (error) {
      this.#after = 0;
      this.#effects.warn('ledger.idle-entities-failed', { error });
    }
    if (this.#after === 0) this.#plan();
    else this.#dueAt = now + CONTINUE_MS;
  }

  async #begin(now: number): Promise<void> {
    const { site } = this.#ledger.state;
    const reaches = site === null ? null : await this.#effects.entityReaches(site);
    // Without a version nobody knows how long usage counts.
    this.#reaches = reaches ?? [];
    this.#after = reaches === null ? Number.MAX_SAFE_INTEGER : 0;
    if (this.#ledger.state.settledEverywhereAt(now) < now - DAY_MS) await this.#peers.exchangeSettlement();
  }

  /** A full day after the first account may be idle: the same for every instance of an object that sleeps meanwhile. */
  #plan(): void {
    const { store, state } = this.#ledger;
    const oldest = state.isStored ? store.oldestEntity() : null;
    if (oldest === null) {
      this.#dueAt = null;
      return;
    }
    const days = Math.ceil((this.#effects.now() - MINUTE_MS - oldest - IDLE_MS) / DAY_MS);
    this.#dueAt = oldest + IDLE_MS + Math.max(0, days) * DAY_MS;
  }
}
