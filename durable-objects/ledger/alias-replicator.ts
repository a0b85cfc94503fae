/**
 * Sends the usage of aliases to the ledgers of their customers in the same location, with back-off, until it is
 * merged. Clock, randomness and RPC are effects.
 */
import type { AliasMergeResult, CopyPosition, CustomerRecords, LedgerSite } from '#contracts/internal/ledger';
import { BackOff } from '#engine/back-off';
import { shardOf } from '#engine/ledger/shard-of';
import { CALL_PAUSES_MS } from '../lib/in-flight.ts';
import type { StoredAlias } from './ledger-store.ts';
import type { LocalLedger } from './local-ledger.ts';
import { finishAliasMerge, mergeAliasUsage, nextAliasPage } from './merge-alias-usage.ts';

export interface AliasEffects {
  /** @param site the customer's ledger */
  mergeAliasUsage(site: LedgerSite, records: CustomerRecords): Promise<AliasMergeResult>;
  now(): number;
  /** In [0, 1). */
  random(): number;
  wait(ms: number): Promise<void>;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** How long changes are gathered before they are sent. */
const GATHER_MS = 250;
/** Aliases per run; the alarm runs again for the rest. */
const MAX_ALIASES = 100;
/** How long the caller that just set an alias waits for the first merge. */
const FIRST_MERGE_MS = 500;
const WARNED_AFTER = 5;

export class AliasReplicator {
  readonly #ledger: LocalLedger;
  readonly #effects: AliasEffects;
  readonly #backOff: BackOff;
  /** When a customer's ledger last answered. */
  #heardAt = 0;
  #merges = 0;

  constructor(ledger: LocalLedger, effects: AliasEffects) {
    this.#ledger = ledger;
    this.#effects = effects;
    this.#backOff = new BackOff(CALL_PAUSES_MS, effects);
  }

  /** When the next merge is due; null when everything is merged. */
  dueAt(): number | null {
    if (!this.#isAnyDue) return null;
    return Math.max(this.#effects.now() + GATHER_MS, this.#backOff.until);
  }

  /** Merges all pending changes, unless an earlier merge still waits. Never throws. */
  async mergeDue(): Promise<void> {
    if (this.#merges === 0) await this.#merge();
  }

  /** Merges all pending changes, unless backing off. Never throws. */
  async #merge(): Promise<void> {
    if (!this.#isAnyDue || !this.#backOff.isOver) return;
    this.#merges += 1;
    try {
      for (const alias of this.#ledger.store.unmergedAliases(MAX_ALIASES)) await this.#mergeOne(alias);
      this.#ledger.aliases.recheck();
      this.#backOff.succeed();
    } catch (error) {
      this.#note(error);
    } finally {
      this.#merges -= 1;
    }
  }

  /** Like `mergeDue`, but does not wait for an earlier merge, and returns after FIRST_MERGE_MS at the latest. After silence, the next caller does not wait. */
  async mergeFirst(): Promise<void> {
    const now = this.#effects.now();
    const isOver = this.#merge().then(() => true);
    const isInTime = await Promise.race([isOver, this.#effects.wait(FIRST_MERGE_MS)]);
    if (isInTime !== true && this.#heardAt < now)
      this.#note(new Error('The customer did not answer in time'));
  }

  /** Calls that overlap fail together: that is one failure. */
  #note(error: unknown): void {
    if (!this.#backOff.isOver) return;
    const failures = this.#backOff.fail();
    if (failures === WARNED_AFTER) this.#effects.warn('ledger.alias-merge-failed', { failures, error });
  }

  async #send(site: LedgerSite, records: CustomerRecords): Promise<AliasMergeResult> {
    const answer = await this.#effects.mergeAliasUsage(site, records);
    this.#heardAt = this.#effects.now();
    return answer;
  }

  /** @throws if not everything was merged */
  async #mergeOne(alias: StoredAlias): Promise<void> {
    const { site } = this.#ledger.state;
    if (site?.shards === undefined) throw new Error('How many ledgers there are is not known yet');
    const { shards } = site;
    const theirs = { ...site, shard: shardOf(alias.target, shards) };
    let after: CopyPosition | null = null;
    do {
      const { records, next } = nextAliasPage(this.#ledger, alias, after);
      const answer =
        theirs.shard === site.shard
          ? mergeAliasUsage(this.#ledger, theirs, records)
          : await this.#send(theirs, records);
      if (answer.kind === 'moved') throw new Error('The data location is disabled');
      after = next;
    } while (after !== null);
    finishAliasMerge(this.#ledger, alias);
  }

  /** A disabled location hands off its records including the aliases; the other locations merge them. */
  get #isAnyDue(): boolean {
    const { aliases, state } = this.#ledger;
    return aliases.hasUnmerged && state.isOpen && state.site?.shards !== undefined;
  }
}
