/**
 * What customers' facts come to in one version. Most customers share the values of their plans: what is remembered of them ends with
 * the facts, which the isolate keeps elsewhere. Overrides and quantities make values of a customer's own, which take much memory and are counted.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { AppliedFacts } from '#engine/entitlements/apply-facts';
import { bytesOf } from '#engine/entitlements/resolution';

/** Of one generation. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Parsed facts take several times the memory of their text. */
const BYTES_PER_CHARACTER = 3;

export class AppliedFactsCache {
  readonly #shared = new WeakMap<CustomerFacts, AppliedFacts>();
  readonly #own = new BoundedCache<CustomerFacts, AppliedFacts>(
    MAX_BYTES,
    (facts, { resolution }) => bytesOf(resolution) + JSON.stringify(facts).length * BYTES_PER_CHARACTER,
  );

  /** Approximate memory. */
  get weight(): number {
    return this.#own.weight;
  }

  get(facts: CustomerFacts): AppliedFacts | undefined {
    return this.#shared.get(facts) ?? this.#own.get(facts);
  }

  set(facts: CustomerFacts, applied: AppliedFacts): void {
    const { overrides, quantities } = applied.resolution;
    const cache = overrides === null && quantities === null ? this.#shared : this.#own;
    cache.set(facts, applied);
  }
}
