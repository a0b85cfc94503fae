/** Which created customer a Stripe customer is in an environment; undefined: none. */
import type { LinkedCustomer } from '#contracts/console/linked-customer';

export function joinIn(
  { joins }: Pick<LinkedCustomer, 'joins'>,
  environmentId: string | undefined,
): LinkedCustomer['joins'][number] | undefined {
  return joins.find((join) => join.environmentId === environmentId);
}
