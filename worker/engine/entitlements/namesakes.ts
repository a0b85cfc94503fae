/**
 * Stripe customers that share an email. A check by the email has the plans of all of them; a check by a customer's id has that
 * customer's plans only. Expects active facts.
 */
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';

const withoutNamesakes = new WeakMap<CustomerFacts, CustomerFacts>();

/**
 * The facts that count for a subject.
 * @param identifier the subject's: the email, or the customer's id
 * @returns the same object unless the customer has namesakes and the subject is identified by id
 */
export function factsForIdentifier(facts: CustomerFacts, identifier: string | null): CustomerFacts {
  if (!facts.namesakes?.length || facts.stripe?.customerId !== identifier) return facts;
  const known = withoutNamesakes.get(facts);
  if (known !== undefined) return known;
  const { namesakes: _, ...own } = facts;
  withoutNamesakes.set(facts, own);
  return own;
}

/** All subscriptions in the facts: the customer's and the namesakes'. */
export function subscriptionsOf({ stripe, namesakes }: CustomerFacts): readonly SubscriptionFacts[] {
  const own = stripe?.subscriptions ?? [];
  return namesakes?.length ? [...own, ...namesakes.flatMap(({ subscriptions }) => subscriptions)] : own;
}

/** Whether an email, identified by these facts, belongs to several customers. One of them may be the email itself. */
export function isAmbiguous({ stripe, namesakes }: CustomerFacts): boolean {
  if (!namesakes?.length) return false;
  return Boolean(stripe) || namesakes.length > 1 || namesakes[0]?.isSeparate === true;
}
