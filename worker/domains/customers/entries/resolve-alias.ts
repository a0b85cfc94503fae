/** Loads from D1 which customer an identifier belongs to in an environment, and that customer's facts. */
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { Db } from '#worker/db/database';
import { loadCustomerFacts } from '#worker/domains/customer-facts/load-customer-facts';
import type { Scope } from '#worker/http/request-context';

export interface ResolvedCustomer {
  /** Canonical. If the identifier is an alias (an ID, a user ID, an email or cus_…), the id of the customer that it belongs to. */
  readonly customer: string;
  readonly facts: CustomerFacts;
}

/** @param identifier canonical in its spelling */
export async function resolveAlias(
  db: Db,
  scope: Scope,
  environmentId: string,
  identifier: string,
): Promise<ResolvedCustomer> {
  const facts = await loadCustomerFacts(db, scope, environmentId, identifier);
  if (!facts.aliasOf) return { customer: identifier, facts };
  const { customerId } = facts.aliasOf;
  return { customer: customerId, facts: await loadCustomerFacts(db, scope, environmentId, customerId) };
}

/** The customer and its aliases: what grants, overrides and balances can be stored under. */
export function namesOf({
  customer,
  facts: { stripe, provisioned, namesakes = [], userIds = [] },
}: ResolvedCustomer): string[] {
  const emails = [
    stripe?.isNamedByEmail === true ? stripe.email : null,
    provisioned?.email,
    ...namesakes.map(({ aliasEmail }) => aliasEmail),
  ];
  return [...new Set([customer, ...emails.flatMap((email) => email ?? []), ...userIds.map(({ id }) => id)])];
}
