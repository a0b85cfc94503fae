/**
 * Stripe customers that share an email or an id. A check by the email has the plans of all of them; a check by an id has the plans
 * of the customers with that id, one in each connected account. Expects active facts.
 */
import type {
  CustomerFacts,
  EndedSubscription,
  Namesake,
  StripeCustomerRef,
  SubscriptionFacts,
} from '#contracts/internal/customer-facts';

const within = new WeakMap<CustomerFacts, Map<string, CustomerFacts>>();

/**
 * The facts that count for a subject. By the customer's id or user id, only namesakes with that id or user id count, and by one of several
 * emails only those with that email.
 * @param identifier the subject's: an email, the customer's id, or its user id
 * @returns the same object if all namesakes count
 */
export function factsForIdentifier(facts: CustomerFacts, identifier: string | null): CustomerFacts {
  if (!facts.namesakes?.length) return facts;
  if (identifier === null) return facts;
  const known = within.get(facts)?.get(identifier);
  if (known !== undefined) return known;
  const { namesakes, ...own } = facts;
  const ownId = facts.stripe?.customerId ?? facts.provisioned?.id;
  const isOwnId = identifier === ownId && facts.provisioned?.isEmail !== true;
  const isId = isOwnId || facts.userIds?.some(({ id }) => id === identifier);
  const counts = ({ customerId, userId, email }: Namesake) => {
    const only = userId ?? email;
    return only !== undefined ? only === identifier : !isId || customerId === ownId;
  };
  const same = namesakes.filter(counts);
  const theirs =
    same.length === 0 ? own : same.length === namesakes.length ? facts : { ...own, namesakes: same };
  const others = within.get(facts);
  if (others === undefined) within.set(facts, new Map([[identifier, theirs]]));
  else others.set(identifier, theirs);
  return theirs;
}

/** All subscriptions in the facts: the customer's and the namesakes'. */
export function subscriptionsOf({ stripe, namesakes }: CustomerFacts): readonly SubscriptionFacts[] {
  const own = stripe?.subscriptions ?? [];
  return namesakes?.length ? [...own, ...namesakes.flatMap(({ subscriptions }) => subscriptions)] : own;
}

/** What is known of subscriptions that have ended: the customer's and the namesakes', each with its account. */
export function endedIn({
  stripe,
  namesakes = [],
}: CustomerFacts): readonly (EndedSubscription & Pick<StripeCustomerRef, 'integrationId'>)[] {
  return [...(stripe ? [stripe] : []), ...namesakes].flatMap(({ integrationId, ended = [] }) =>
    ended.map((each) => ({ ...each, integrationId })),
  );
}

/**
 * Whether an email or user id, identified by these facts, belongs to several customers. One of them may be the name itself. One id in several
 * accounts is one customer.
 */
export function isAmbiguous({ stripe, provisioned, namesakes }: CustomerFacts): boolean {
  const [first] = namesakes ?? [];
  if (namesakes === undefined || first === undefined) return false;
  const ownId = stripe?.customerId ?? provisioned?.id ?? first.customerId;
  const hasOthers = namesakes.some(({ customerId }) => customerId !== ownId);
  return hasOthers || (!stripe && first.isSeparate === true);
}
