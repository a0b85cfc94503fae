/**
 * How many customers an isolate looks up in D1 for one organisation. Ledgers know whom they have served, so only customers who are new
 * to their data location count: a launch has fewer, and random identifiers of one organisation leave D1 to the others.
 */
import { TokenBuckets } from '#engine/outages/token-bucket';

/** At once, and then a second. */
export const NEW_CUSTOMERS_BURST = 1_000;
const NEW_CUSTOMERS_PER_SECOND = 200;

const buckets = new TokenBuckets(NEW_CUSTOMERS_BURST, NEW_CUSTOMERS_PER_SECOND);

/** @returns false if the customer's facts must stay unknown for now */
export function takeNewCustomer(orgId: string, now: number): boolean {
  return buckets.take(orgId, now);
}
