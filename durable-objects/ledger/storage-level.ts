/** How full the storage is. Keyed updates stop before it is full, so that usage is counted and records are deleted beyond that. */
import { HOUR_MS } from '#engine/durations';

export interface StorageEffects {
  /** Bytes. */
  databaseSize(): number;
  now(): number;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** The platform's limit for an object. */
export const MAX_STORAGE_BYTES = 10 * 1024 ** 3;
const WARNED_FROM = 0.7;
const FULL_FROM = 0.9;

export class StorageLevel {
  readonly #effects: StorageEffects;
  #isFull = false;
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(effects: StorageEffects) {
    this.#effects = effects;
  }

  /** Idempotency keys are no longer stored. Measured again while it is so: clean-up makes room. */
  get isFull(): boolean {
    return this.#isFull && this.measure();
  }

  /** Warns once an hour, with figures, while the storage fills. @returns whether it is full */
  measure(): boolean {
    const bytes = this.#effects.databaseSize();
    const share = bytes / MAX_STORAGE_BYTES;
    this.#isFull = share >= FULL_FROM;
    const now = this.#effects.now();
    if (share >= WARNED_FROM && now - this.#warnedAt >= HOUR_MS) {
      this.#warnedAt = now;
      this.#effects.warn('ledger.storage-fills', { bytes, share, isFull: this.#isFull });
    }
    return this.#isFull;
  }
}
