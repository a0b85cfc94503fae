/** A bounded memory: what was used last stays, the rest goes when the weights of all pass the limit. */
export class RecentCustomers<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: Value; weight: number }>();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
  }

  *values(): Generator<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Not while something in it is yet to be stored. The newest entry stays, however heavy. */
  trim(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit || this.#entries.size === 1) break;
      this.delete(oldest);
    }
  }

  reweigh(key: string, weight: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#weight += weight - entry.weight;
    entry.weight = weight;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
