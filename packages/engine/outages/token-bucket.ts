import { BoundedCache } from '../cache/bounded-cache.ts';

/** Allows so many at once, and so many a second after that. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #tokens: number;
  #filledAt = 0;

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#tokens = burst;
  }

  /** @param now epoch milliseconds @returns false if no token is left */
  take(now: number): boolean {
    this.#add((Math.max(0, now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  giveBack(): void {
    this.#add(1);
  }

  #add(tokens: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + tokens);
  }
}

/** Each key remembered costs little, so none is forgotten before this many others have come. */
const REMEMBERED_KEYS = 5_000;

/** A bucket for each key, an organisation's id for example. */
export class TokenBuckets {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #buckets = new BoundedCache<string, TokenBucket>(REMEMBERED_KEYS);

  constructor(burst: number, perSecond: number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** @param now epoch milliseconds @returns false if the key has no token left */
  take(key: string, now: number): boolean {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket(this.#burst, this.#perSecond);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(now);
  }
}
