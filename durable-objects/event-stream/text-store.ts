/**
 * Content-addressed store for the `features` part of responses. A text is stored once per stream under its SHA-256,
 * however many events share it, and is deleted when no stored event can refer to it.
 */

import { BoundedCache } from '#engine/cache/bounded-cache';
import { DAY_MS } from '#engine/durations';
import { sha256Hex } from '#runtime/hash';
import { splitText } from '../lib/split-text.ts';

/** UTF-16 units of the texts in the hash cache. */
const MAX_CACHED_LENGTH = 4_000_000;

export interface HashedText {
  readonly text: string;
  readonly hash: string;
  /** The features in the text; null until they are needed. */
  slugs: readonly string[] | null;
  /** The stored row is retained for events up to this instant. Valid only in this `generation`. */
  retainedUntil: number;
  /** The store's generation when `retainedUntil` was set. */
  generation: number;
}

export class TextStore {
  readonly #sql: SqlStorage;
  readonly #hashed = new BoundedCache<string, HashedText>(MAX_CACHED_LENGTH / 2, (text) => text.length);
  /** Incremented when rows are deleted or rolled back, which invalidates every cached `retainedUntil`. */
  #generation = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Hashing is asynchronous, so the caller hashes before it opens a transaction. */
  async hashAll(texts: readonly string[]): Promise<HashedText[]> {
    const hashed: HashedText[] = [];
    for (const text of texts) hashed.push(this.#hashed.get(text) ?? (await this.#hash(text)));
    return hashed;
  }

  /** Stores a text and retains it for events up to `until`. Runs inside the transaction that stores the events. */
  retain(hashed: HashedText, until: number): void {
    if (hashed.generation === this.#generation && hashed.retainedUntil >= until) return;
    hashed.generation = this.#generation;
    hashed.retainedUntil = until + DAY_MS; // A day ahead, so that a text in use costs one write a day.
    for (const [piece, body] of splitText(hashed.text).entries()) {
      this.#sql.exec(
        `INSERT INTO text (hash, piece, body, kept_until) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET kept_until = max(kept_until, excluded.kept_until)`,
        ...[hashed.hash, piece, body, hashed.retainedUntil],
      );
    }
  }

  /** @returns null if the text was never stored, or is deleted */
  find(hash: string): string | null {
    const pieces = this.#sql
      .exec<{ body: string }>('SELECT body FROM text WHERE hash = ? ORDER BY piece', hash)
      .toArray();
    return pieces.length === 0 ? null : pieces.map((piece) => piece.body).join('');
  }

  /** A text that is stored, by its hash. */
  stored(hash: string): HashedText {
    const text = this.find(hash) ?? 'null';
    return this.#hashed.get(text) ?? { text, hash, slugs: null, retainedUntil: 0, generation: -1 };
  }

  /** Deletes texts that only events older than `before` refer to. Those events must be deleted already. */
  deleteUnused(before: number): void {
    this.invalidate();
    this.#sql.exec('DELETE FROM text WHERE kept_until < ?', before);
  }

  /** Call after a rollback: cached rows may not exist. */
  invalidate(): void {
    this.#generation += 1;
  }

  async #hash(text: string): Promise<HashedText> {
    const hash = await sha256Hex(text);
    const hashed = { text, hash, slugs: null, retainedUntil: 0, generation: this.#generation };
    this.#hashed.set(text, hashed);
    return hashed;
  }
}

/** The slugs of a text's features, parsed once per text. */
export function slugsIn(hashed: HashedText | undefined): readonly string[] {
  if (hashed === undefined) return [];
  hashed.slugs ??= featureSlugsOf(JSON.parse(hashed.text));
  return hashed.slugs;
}

/** @param features the parsed text */
export function featureSlugsOf(features: unknown): string[] {
  return typeof features === 'object' && features !== null ? Object.keys(features) : [];
}
