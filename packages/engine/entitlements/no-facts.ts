/** Facts of customers of whom nothing is recorded, or nothing is known yet. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';

export const NO_FACTS: CustomerFacts = { version: 0, grants: [], overrides: [] };

/** The customer is known to have facts, but this caller does not have them yet. */
export const UNKNOWN_FACTS: CustomerFacts = { ...NO_FACTS, version: -1 };

export function isEmptyFacts(facts: CustomerFacts): boolean {
  const { grants, overrides, aliasOf, stripe, provisioned, namesakes, isInOtherMode } = facts;
  const isKnown = Boolean(aliasOf || stripe || provisioned || namesakes?.length || isInOtherMode);
  return grants.length === 0 && overrides.length === 0 && !isKnown;
}
