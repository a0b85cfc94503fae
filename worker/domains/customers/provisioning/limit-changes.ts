/**
 * How many changes of customers an isolate makes for one organisation. Each writes about a dozen rows of D1, which serves all
 * organisations: a loop in one of them, or a leaked key, must leave room for the others.
 */
import { TokenBuckets } from '#engine/outages/token-bucket';
import { Refusal, retryAfter } from '#worker/http/api-error';

/** At once, and then a second. */
export const CHANGES_BURST = 300;
export const CHANGES_PER_SECOND = 20;

const buckets = new TokenBuckets(CHANGES_BURST, CHANGES_PER_SECOND);

/** @throws {ApiError} rate-limited */
export function takeChange(orgId: string, now: number): void {
  if (!buckets.take(orgId, now))
    throw new Refusal(
      'rate-limited',
      'too-many-changes',
      `Customers can be changed ${CHANGES_BURST} times at once, and then ${CHANGES_PER_SECOND} times a second. Try again in a second.`,
      retryAfter(1),
    );
}
