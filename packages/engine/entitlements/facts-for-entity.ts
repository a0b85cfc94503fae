/** The balances of a customer's entities: only calls that name the entity have them. */
import type { BalanceFacts, CustomerFacts } from '#contracts/internal/customer-facts';

/** The customer's own balances, and those of its entities. */
export function balancesByOwner(
  balances: readonly BalanceFacts[],
): Pick<CustomerFacts, 'balances' | 'entityBalances'> {
  const own = balances.filter(({ entity }) => entity === undefined);
  if (own.length === balances.length) return { balances };
  return { balances: own, entityBalances: balances.filter(({ entity }) => entity !== undefined) };
}

/** With the balances of all entities: to say of each whether it counts. */
export function factsForAll({ balances = [], entityBalances = [], ...facts }: CustomerFacts): CustomerFacts {
  return { ...facts, balances: [...balances, ...entityBalances] };
}

const within = new WeakMap<CustomerFacts, Map<string, CustomerFacts>>();

/**
 * The facts that count for calls of an entity: its balances are the customer's.
 * @returns the same object if the entity has none
 */
export function factsForEntity(facts: CustomerFacts, entity: string | undefined): CustomerFacts {
  const { entityBalances, balances = [] } = facts;
  if (entity === undefined || entityBalances === undefined) return facts;
  const known = within.get(facts)?.get(entity);
  if (known !== undefined) return known;
  const own = entityBalances.filter((each) => each.entity === entity);
  if (own.length === 0) return facts;
  const theirs = { ...facts, balances: [...balances, ...own] };
  const others = within.get(facts);
  if (others === undefined) within.set(facts, new Map([[entity, theirs]]));
  else others.set(entity, theirs);
  return theirs;
}
