/**
 * Filters a customer's facts by the environment's snapshot: facts of a disconnected Stripe account are ignored,
 * although ledgers still store them. The end of an integration therefore applies with the snapshot.
 */
import type { CustomerFacts } from '#contracts/internal/customer-facts';

const NONE: readonly never[] = [];

/** Of an alias that no Stripe account says: that of a customer that was created by API, or a former spelling. */
export const NO_INTEGRATION = '';

/**
 * @param integrationIds the connected accounts in the environment's snapshot
 * @returns the same object if all facts are active
 */
export function activeFacts(facts: CustomerFacts, integrationIds: readonly string[] = NONE): CustomerFacts {
  const { aliasOf, stripe, namesakes = NONE, userIds = NONE } = facts;
  if (!aliasOf && !stripe && namesakes.length === 0 && userIds.length === 0) return facts;
  const connected = namesakes.filter(({ integrationId }) => integrationIds.includes(integrationId));
  const isAlias =
    !aliasOf || aliasOf.integrationId === NO_INTEGRATION || integrationIds.includes(aliasOf.integrationId);
  const isCustomer = !stripe || integrationIds.includes(stripe.integrationId);
  const ids = userIds.filter(({ integrationId: id }) => id === NO_INTEGRATION || integrationIds.includes(id));
  const isComplete = connected.length === namesakes.length && ids.length === userIds.length;
  if (isAlias && isCustomer && isComplete) return facts;
  const isOwn = ({ isFromEmail }: { readonly isFromEmail?: true }) => isFromEmail !== true;
  return {
    ...facts,
    aliasOf: isAlias ? aliasOf : null,
    stripe: isCustomer ? stripe : null,
    grants: isCustomer ? facts.grants : facts.grants.filter(isOwn),
    overrides: isCustomer ? facts.overrides : facts.overrides.filter(isOwn),
    ...(facts.balances && { balances: isCustomer ? facts.balances : facts.balances.filter(isOwn) }),
    ...(facts.entityBalances && {
      entityBalances: isCustomer ? facts.entityBalances : facts.entityBalances.filter(isOwn),
    }),
    ...(namesakes.length > 0 ? { namesakes: connected } : {}),
    ...(userIds.length > 0 ? { userIds: ids } : {}),
  };
}

/** Whether the identifier is an alias of the customer with these facts. */
export function isAliasOf(
  { stripe, provisioned, namesakes = NONE, userIds = NONE }: CustomerFacts,
  identifier: string,
): boolean {
  if (userIds.some(({ id }) => id === identifier)) return true;
  if (stripe?.isNamedByEmail === true && stripe.email === identifier) return true;
  if (provisioned?.email === identifier) return true;
  return namesakes.some(({ aliasEmail }) => aliasEmail === identifier);
}
