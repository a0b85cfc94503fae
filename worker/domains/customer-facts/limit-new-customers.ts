/**
 * How many customers an isolate looks up in D1 for one organisation. Ledgers know whom they have served, so only customers who are new
 * to their data location count: a launch has fewer, and random identifiers of one organisation leave D1 to the others.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import { TokenBucket } from '#engine/outages/token-bucket';

/** At once, and then a second. */
export const NEW_CUSTOMERS_BURST = 1_000;
const NEW_CUSTOMERS_PER_SECOND = 200;
const MAX_ORGANISATIONS = 10_000;

const buckets = new BoundedCache<string, TokenBucket>(MAX_ORGANISATIONS / 2);

/** @returns false if the customer's facts must stay unknown for now */
export function takeNewCustomer(orgId: string, now: number): boolean {
  let bucket = buckets.get(orgId);
  if (bucket === undefined) {
    bucket = new TokenBucket(NEW_CUSTOMERS_BURST, NEW_CUSTOMERS_PER_SECOND);
    buckets.set(orgId, bucket);
  }
  return bucket.take(now);
}
