/**
 * A bounded cache with two generations. Writes fill the young generation; when it is full it becomes the old one and the
 * former old one is dropped. A hit in the old generation moves the entry to the young one, so entries in use survive.
 * A hit in the young generation writes nothing, unlike in a least-recently-used list.
 */
export class BoundedCache<Key, Value extends NonNullable<unknown>> {
  readonly #capacity: number;
  readonly #weightOf: (key: Key, value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngWeight = 0;
  #oldWeight = 0;

  /**
   * @param capacity weight of one generation; the cache contains at most twice as much
   * @param weightOf weight of an entry; 1 if absent, so that the capacity counts entries
   */
  constructor(capacity: number, weightOf: (key: Key, value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weightOf = weightOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** An entry heavier than the capacity is stored alone in its generation. */
  set(key: Key, value: Value): void {
    const weight = this.#weightOf(key, value);
    const replaced = this.#young.get(key);
    if (replaced !== undefined) {
      this.#young.delete(key);
      this.#youngWeight -= this.#weightOf(key, replaced);
    }
    if (this.#youngWeight + weight > this.#capacity && this.#young.size > 0) {
      this.#old = this.#young;
      this.#oldWeight = this.#youngWeight;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    this.#young.set(key, value);
    this.#youngWeight += weight;
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young !== undefined) {
      this.#young.delete(key);
      this.#youngWeight -= this.#weightOf(key, young);
    }
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngWeight = 0;
    this.#oldWeight = 0;
  }

  /** Of both generations; what left the old one still counts. */
  get weight(): number {
    return this.#youngWeight + this.#oldWeight;
  }

  /** Entries of both generations; a replaced entry of the old generation counts too. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
