/** What an entry of the audit log says of a join: which Stripe customers, and why if nobody said so. */

/** Reasons of `customer-facts/record-joins.ts`. */
const WHY_SEPARATED: Readonly<Record<string, string>> = {
  metadata: ', whose metadata no longer names it',
  deletion: ', which was deleted in Stripe',
  replacement: ', which another Stripe customer replaces',
  ambiguity: ', because another Stripe customer has the same metadata',
  'user-id-key': ', because the account’s metadata key changed',
  disconnection: ', whose account was disconnected',
};

type Detail = Readonly<Record<string, unknown>>;

/** 'Stripe customer cus_1, whose metadata names it'. @param detail of the audit entry */
export function joinedWith({ customerId, by }: Detail): string {
  return `Stripe customer ${customerId}${by === 'metadata' ? ', whose metadata names it' : ''}`;
}

/** 'Stripe customers cus_1, cus_2'. @param detail of the audit entry */
export function separatedFrom({ customerIds, by }: Detail): string {
  const ids = Array.isArray(customerIds) ? customerIds.map(String) : [];
  if (ids.length === 0) return 'its Stripe customers';
  return `Stripe ${ids.length === 1 ? 'customer' : 'customers'} ${ids.join(', ')}${WHY_SEPARATED[String(by)] ?? ''}`;
}
