/** Facts of customers of whom nothing is recorded, or nothing is known yet. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';

export const NO_FACTS: CustomerFacts = { version: 0, grants: [], overrides: [] };

/** The customer is known to have facts, but this caller does not have them yet. */
export const UNKNOWN_FACTS: CustomerFacts = { ...NO_FACTS, version: -1 };

/** Whether they say nothing. Every field but the version takes part, as a test with all of them keeps. */
export function isEmptyFacts({
  grants,
  overrides,
  balances,
  entityBalances,
  aliasOf,
  stripe,
  provisioned,
  namesakes,
  userIds,
  isInOtherMode,
}: CustomerFacts): boolean {
  if (grants.length > 0 || overrides.length > 0) return false;
  if (balances?.length || entityBalances?.length) return false;
  return !(aliasOf || stripe || provisioned || namesakes?.length || userIds?.length || isInOtherMode);
}
