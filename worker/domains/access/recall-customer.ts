/**
 * Whose ledger counts for an identifier, and what holds of them, as far as the isolate remembers (DESIGN 5). An e-mail
 * address that stands for a Stripe customer is only another name of theirs.
 */
import { type CustomerFacts, NO_FACTS, UNHEARD_FACTS } from '#contracts/customer-facts';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import { believeFacts, isNamedBy } from '#engine/entitlements/believe-facts';
import { recallFacts } from '#worker/domains/customers/remember-facts';

/** What is resolved of somebody: `customer` is the canonical identifier, by which ledgers and events know them. */
export interface Standing {
  readonly customer: string;
  readonly facts: CustomerFacts;
}

export type Resolve<S extends Standing> = (facts: CustomerFacts, customer: string) => S;

/** @param identifier as asked by, canonical in its spelling. Costs those without Stripe a look-up in memory. */
export function recallCustomer<S extends Standing>(
  snapshot: EnvironmentSnapshot,
  identifier: string,
  now: number,
  resolve: Resolve<S>,
): S {
  if (snapshot.hasCustomerFacts !== true) return resolve(NO_FACTS, identifier);
  const own = recallFacts(snapshot.environmentId, identifier, now);
  if (!own.nameOf && !own.stripe) return resolve(own, identifier);
  if (believeFacts(own, snapshot.stripeIntegrationIds) !== own) return resolve(NO_FACTS, identifier);
  if (!own.nameOf) return resolve(own, identifier);
  const { customerId } = own.nameOf;
  const theirs = recallNamed(snapshot, identifier, customerId, now);
  return theirs === null ? resolve(NO_FACTS, identifier) : resolve(theirs, customerId);
}

/** Null: what is remembered of the customer says that the address is not theirs. */
function recallNamed(
  snapshot: EnvironmentSnapshot,
  identifier: string,
  customerId: string,
  now: number,
): CustomerFacts | null {
  const theirs = recallFacts(snapshot.environmentId, customerId, now);
  if (theirs === NO_FACTS) return UNHEARD_FACTS;
  return isNamedBy(theirs, identifier) ? theirs : null;
}
