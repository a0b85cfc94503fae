/**
 * What an isolate remembers of customers whom something was said of, so that a check resolves by it before it asks. Every
 * answer of a ledger confirms or replaces it; nobody is believed for longer than half a minute without. Customers of whom
 * nothing was said are not remembered: that is what is supposed of everybody.
 */
import { type CustomerFacts, isEmptyFacts, NO_FACTS } from '#contracts/customer-facts';
import { TwoGenerationCache } from '#engine/entitlements/two-generation-cache';

const BELIEVED_FOR_MS = 30_000;
/** Customers; at most twice as many. */
const REMEMBERED = 5_000;

interface Remembered {
  readonly facts: CustomerFacts;
  readonly confirmedAt: number;
}

const remembered = new TwoGenerationCache<Remembered>(REMEMBERED);

/** NO_FACTS where nothing is remembered. @param now epoch milliseconds */
export function recallFacts(environmentId: string, customer: string, now: number): CustomerFacts {
  const known = remembered.get(`${environmentId} ${customer}`);
  return known !== undefined && now - known.confirmedAt <= BELIEVED_FOR_MS ? known.facts : NO_FACTS;
}

export function rememberFacts(
  environmentId: string,
  customer: string,
  facts: CustomerFacts,
  now: number,
): void {
  const name = `${environmentId} ${customer}`;
  if (isEmptyFacts(facts) && remembered.get(name) === undefined) return;
  remembered.set(name, { facts: isEmptyFacts(facts) ? NO_FACTS : facts, confirmedAt: now });
}
