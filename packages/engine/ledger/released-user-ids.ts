/** Which user ids a Stripe customer no longer carries. They go on with what was counted while it carried them: docs/names.md. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';

/**
 * A created customer, or one that a created customer now is, releases none: its own id is the durable one.
 * @param former of the same identifier
 */
export function releasedUserIds(identifier: string, former: CustomerFacts, facts: CustomerFacts): string[] {
  if (!identifier.startsWith('cus_') || facts.aliasOf) return [];
  const carried = new Set((facts.userIds ?? []).map(({ id }) => id));
  return (former.userIds ?? []).flatMap(({ id }) => (carried.has(id) ? [] : [id]));
}
