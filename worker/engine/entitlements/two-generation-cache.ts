/**
 * A bounded memory that keeps what is in use: entries asked for survive, the others are gone after at most two fillings.
 * Unlike a list ordered by use it writes nothing when an entry of the young generation is found.
 */
export class TwoGenerationCache<Value> {
  readonly #capacity: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Holds at most twice `capacity` entries. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const found = this.#young.get(key);
    if (found !== undefined) return found;
    const aged = this.#old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
