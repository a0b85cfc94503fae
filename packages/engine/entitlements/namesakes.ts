/**
 * Stripe customers that share an email or an id. A check by the email has the plans of all of them; a check by an id has the plans
 * of the customers with that id, one in each connected account. Expects active facts.
 */
import type { CustomerFacts, SubscriptionFacts } from '#contracts/internal/customer-facts';

const withinId = new WeakMap<CustomerFacts, CustomerFacts>();

/**
 * The facts that count for a subject.
 * @param identifier the subject's: the email, or the customer's id
 * @returns the same object unless the customer has namesakes of other ids and the subject is identified by id
 */
export function factsForIdentifier(facts: CustomerFacts, identifier: string | null): CustomerFacts {
  if (!facts.namesakes?.length) return facts;
  if ((facts.stripe?.customerId ?? facts.provisioned?.id) !== identifier) return facts;
  const known = withinId.get(facts);
  if (known !== undefined) return known;
  const { namesakes, ...own } = facts;
  const same = namesakes.filter(({ customerId }) => customerId === identifier);
  const theirs =
    same.length === 0 ? own : same.length === namesakes.length ? facts : { ...own, namesakes: same };
  withinId.set(facts, theirs);
  return theirs;
}

/** All subscriptions in the facts: the customer's and the namesakes'. */
export function subscriptionsOf({ stripe, namesakes }: CustomerFacts): readonly SubscriptionFacts[] {
  const own = stripe?.subscriptions ?? [];
  return namesakes?.length ? [...own, ...namesakes.flatMap(({ subscriptions }) => subscriptions)] : own;
}

/**
 * Whether an email, identified by these facts, belongs to several customers. One of them may be the email itself. One id in several
 * accounts is one customer.
 */
export function isAmbiguous({ stripe, provisioned, namesakes }: CustomerFacts): boolean {
  const [first] = namesakes ?? [];
  if (namesakes === undefined || first === undefined) return false;
  const ownId = stripe?.customerId ?? provisioned?.id ?? first.customerId;
  const hasOthers = namesakes.some(({ customerId }) => customerId !== ownId);
  return hasOthers || (!stripe && first.isSeparate === true);
}
