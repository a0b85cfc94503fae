/**
 * What customers' facts come to in one version. Most customers share the values of their plans: only the plans are remembered of them,
 * for as long as the isolate keeps the facts elsewhere, and the values are those of the artifact's resolutions. Overrides and billing
 * windows make values of a customer's own. What takes much memory is counted.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import { BoundedCache } from '../cache/bounded-cache.ts';
import type { AppliedFacts } from '../entitlements/apply-facts.ts';
import type { PreparedArtifact } from '../entitlements/prepared-artifact.ts';
import { bytesOf, isOwn } from '../entitlements/resolution.ts';
import { resolve } from '../entitlements/resolve.ts';

/** Of one generation. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Parsed facts take several times the memory of their text. */
const BYTES_PER_CHARACTER = 3;
/** Of a set of plans that is remembered with the facts, as part of what the facts are weighed with: some thirty plans. */
const SMALL_KEY = 100;
/** A set of plans, by the length of its key. */
const BYTES_PER_KEY_CHARACTER = 5;
const BYTES_PER_REFUSAL = 500;

type Remembered = Pick<AppliedFacts, 'planSet' | 'until' | 'refused'> & {
  /** Null: the artifact's of these plans. */
  readonly resolution: AppliedFacts['resolution'] | null;
};

export class AppliedFactsCache {
  readonly #small = new WeakMap<CustomerFacts, Remembered>();
  readonly #large = new BoundedCache<CustomerFacts, Remembered>(MAX_BYTES, weightOf);

  /** Approximate memory. */
  get weight(): number {
    return this.#large.weight;
  }

  /** What they came to, unless that is over. */
  get(prepared: PreparedArtifact, facts: CustomerFacts, now: number): AppliedFacts | undefined {
    const known = this.#small.get(facts) ?? this.#large.get(facts);
    if (known === undefined || now >= known.until) return undefined;
    const { planSet, until, refused } = known;
    return { resolution: known.resolution ?? resolve(prepared, planSet), planSet, until, refused };
  }

  set(facts: CustomerFacts, applied: AppliedFacts): void {
    const { planSet, until, refused } = applied;
    const resolution = isOwn(applied.resolution) ? applied.resolution : null;
    const isSmall = resolution === null && refused.length === 0 && planSet.key.length <= SMALL_KEY;
    this.#small.delete(facts);
    this.#large.delete(facts);
    const cache = isSmall ? this.#small : this.#large;
    cache.set(facts, { planSet, until, refused, resolution });
  }
}

function weightOf(facts: CustomerFacts, { planSet, refused, resolution }: Remembered): number {
  const texts =
    JSON.stringify(facts).length * BYTES_PER_CHARACTER + planSet.key.length * BYTES_PER_KEY_CHARACTER;
  return texts + refused.length * BYTES_PER_REFUSAL + (resolution === null ? 0 : bytesOf(resolution));
}
