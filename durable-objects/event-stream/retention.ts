/** How long events stay in the stream before they are archived, and how large the stream may grow. */
import { DAY_MS } from '#engine/durations';
import type { Settings } from './settings.ts';

const DEFAULT_DAYS = 7;
/** Below the platform's 10 GB per object. Above it, the oldest events are archived before their retention ends. */
export const DEFAULT_MAX_BYTES = 8_000_000_000;
const COMMITS_PER_SIZE_CHECK = 500;

export class Retention {
  readonly #sql: SqlStorage;
  readonly #settings: Settings;
  #commitsSinceSizeCheck = 0;

  constructor(sql: SqlStorage, settings: Settings) {
    this.#sql = sql;
    this.#settings = settings;
  }

  get ms(): number {
    return Number(this.#settings.get('retention_days') ?? DEFAULT_DAYS) * DAY_MS;
  }

  get isOversize(): boolean {
    return this.#sql.databaseSize > this.#maxBytes;
  }

  /** @returns whether it changed @throws {RangeError} */
  set(days: number, maxBytes: number): boolean {
    if (!Number.isSafeInteger(days) || days < 1) throw new RangeError('Retention is a whole number of days');
    if (days * DAY_MS === this.ms && maxBytes === this.#maxBytes) return false;
    this.#settings.set('retention_days', String(days));
    this.#settings.set('max_bytes', String(maxBytes));
    return true;
  }

  /** Counts a commit. @returns whether the stream has grown too large; looked up now and then */
  isOversizeAfterCommit(): boolean {
    this.#commitsSinceSizeCheck += 1;
    if (this.#commitsSinceSizeCheck < COMMITS_PER_SIZE_CHECK) return false;
    this.#commitsSinceSizeCheck = 0;
    return this.isOversize;
  }

  get #maxBytes(): number {
    return Number(this.#settings.get('max_bytes') ?? DEFAULT_MAX_BYTES);
  }
}
