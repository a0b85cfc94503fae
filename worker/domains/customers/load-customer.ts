/** Whose ledger counts for an identifier in an environment, and what holds of them: by the database, for the console. */
import type { CustomerFacts } from '#contracts/customer-facts';
import type { Db } from '#worker/db/database';
import type { Scope } from '#worker/http/request-context';
import { loadCustomerFacts } from './load-customer-facts.ts';

export interface LoadedCustomer {
  /** Canonical: of an e-mail address that stands for a Stripe customer, that customer's id. */
  readonly customer: string;
  readonly facts: CustomerFacts;
}

/** @param identifier canonical in its spelling */
export async function loadCustomer(
  db: Db,
  scope: Scope,
  environmentId: string,
  identifier: string,
): Promise<LoadedCustomer> {
  const facts = await loadCustomerFacts(db, scope, environmentId, identifier);
  if (!facts.nameOf) return { customer: identifier, facts };
  const { customerId } = facts.nameOf;
  return { customer: customerId, facts: await loadCustomerFacts(db, scope, environmentId, customerId) };
}
