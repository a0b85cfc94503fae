/**
 * The isolate's memory of customer facts. A check resolves with facts confirmed within 30 s and sends their version to the ledger,
 * and the ledger's answer confirms or replaces them. While no ledger answers, facts of up to a day ago are used. That a customer has
 * none, as of a version, is remembered in the same way. See worker/domains/customer-facts/README.md, "Customer facts".
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { RecalledFacts } from '#engine/access/access-effects';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { isEmptyFacts, NO_FACTS } from '#engine/entitlements/no-facts';
import { freshnessOf } from '#engine/freshness';

/** Approximate memory of one generation of the cache: about 5,000 customers with a subscription. */
const MAX_BYTES = 8 * 1024 * 1024;
const BYTES_PER_CUSTOMER = 300;

interface CachedFacts {
  readonly facts: CustomerFacts;
  readonly weight: number;
  confirmedAt: number;
}

const cache = new BoundedCache<string, CachedFacts>(MAX_BYTES, (_, { weight }) => weight);

/** NO_FACTS without a fresh entry. @param now epoch milliseconds */
export function getCachedFacts(environmentId: string, customer: string, now: number): CustomerFacts {
  const known = cache.get(`${environmentId} ${customer}`);
  const isRecent = known !== undefined && freshnessOf('facts', known.confirmedAt, now) === 'recent';
  return isRecent ? known.facts : NO_FACTS;
}

export function recallFacts(environmentId: string, customer: string, now: number): RecalledFacts | undefined {
  const known = cache.get(`${environmentId} ${customer}`);
  if (known === undefined) return undefined;
  const freshness = freshnessOf('facts', known.confirmedAt, now);
  return freshness === 'lost' ? undefined : { facts: known.facts, isStale: freshness === 'stale' };
}

export function cacheFacts(environmentId: string, customer: string, facts: CustomerFacts, now: number): void {
  const name = `${environmentId} ${customer}`;
  const known = cache.get(name);
  // A call that began later has confirmed other facts.
  if (known !== undefined && known.confirmedAt > now) return;
  if (known?.facts === facts) known.confirmedAt = now;
  else cache.set(name, { facts, weight: weightOf(facts), confirmedAt: now });
}

/** Parsed facts take several times the memory of their text. */
function weightOf(facts: CustomerFacts): number {
  return BYTES_PER_CUSTOMER + (isEmptyFacts(facts) ? 0 : JSON.stringify(facts).length * 3);
}
