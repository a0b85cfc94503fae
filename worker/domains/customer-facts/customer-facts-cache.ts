/**
 * The isolate's cache of customer facts. A check resolves with cached facts and sends their version to the ledger, and the
 * ledger's answer confirms or replaces them. Entries expire 30 s after the last confirmation. Empty facts are the default
 * and take no entry. See worker/README.md, "Customer facts".
 */
import { type CustomerFacts, isEmptyFacts, NO_FACTS } from '#contracts/internal/customer-facts';
import { BoundedCache } from '#engine/cache/bounded-cache';

const MAX_AGE_MS = 30_000;
/** Customers per generation of the cache. */
const CAPACITY = 5_000;

interface CachedFacts {
  readonly facts: CustomerFacts;
  readonly confirmedAt: number;
}

const cache = new BoundedCache<string, CachedFacts>(CAPACITY);

/** NO_FACTS without a fresh entry. @param now epoch milliseconds */
export function getCachedFacts(environmentId: string, customer: string, now: number): CustomerFacts {
  const known = cache.get(`${environmentId} ${customer}`);
  return known !== undefined && now - known.confirmedAt <= MAX_AGE_MS ? known.facts : NO_FACTS;
}

export function cacheFacts(environmentId: string, customer: string, facts: CustomerFacts, now: number): void {
  const name = `${environmentId} ${customer}`;
  if (isEmptyFacts(facts) && cache.get(name) === undefined) return;
  cache.set(name, { facts: isEmptyFacts(facts) ? NO_FACTS : facts, confirmedAt: now });
}
