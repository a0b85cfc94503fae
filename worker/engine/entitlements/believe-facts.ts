/**
 * What counts of a customer's facts: what a Stripe account said that is no longer connected says nothing any more, although
 * ledgers still have it (DESIGN 5). So the end of an integration is in force with the environment's snapshot.
 */
import type { CustomerFacts } from '#contracts/customer-facts';

const NONE: readonly string[] = [];

/**
 * @param integrationIds as the environment's snapshot names them
 * @returns the very facts given, where all of them count
 */
export function believeFacts(facts: CustomerFacts, integrationIds: readonly string[] = NONE): CustomerFacts {
  const { nameOf, stripe } = facts;
  if (!nameOf && !stripe) return facts;
  const isNamed = !nameOf || integrationIds.includes(nameOf.integrationId);
  const isCustomer = !stripe || integrationIds.includes(stripe.integrationId);
  if (isNamed && isCustomer) return facts;
  const isOwn = ({ isOfEmail }: { readonly isOfEmail?: true }) => isOfEmail !== true;
  return {
    ...facts,
    nameOf: isNamed ? nameOf : null,
    stripe: isCustomer ? stripe : null,
    grants: isCustomer ? facts.grants : facts.grants.filter(isOwn),
    overrides: isCustomer ? facts.overrides : facts.overrides.filter(isOwn),
  };
}

/** Whether the address stands for the customer whose facts these are. */
export function isNamedBy({ stripe }: CustomerFacts, identifier: string): boolean {
  return stripe?.isNamedByEmail === true && stripe.email === identifier;
}
