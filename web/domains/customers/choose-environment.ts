/** The environment that a customer is shown in. */
import type { KnownCustomer } from '#contracts/console/customer-list';
import type { Customer } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';
import { readIdentifier } from '#contracts/public/identifiers';

/**
 * The environment with this id, otherwise the first live one, otherwise the first. A customer of Stripe's test mode has nothing in
 * live environments, so the first test environment comes before them, then the preview.
 * @param created where the customer was created by API: any of these comes before the others
 */
export function chooseEnvironment(
  environments: readonly Environment[],
  id: string | null,
  isTestMode: boolean,
  created: Customer['created'] = [],
): Environment | undefined {
  const isHere = ({ id: of }: Environment) => created.some(({ environmentId }) => environmentId === of);
  const having = environments.filter(isHere);
  const among = having.length > 0 ? having : environments;
  const types = isTestMode ? (['test', 'preview'] as const) : (['live'] as const);
  const first = types.flatMap((wanted) => among.find(({ type }) => type === wanted) ?? []);
  return environments.find((environment) => environment.id === id) ?? first[0] ?? among[0];
}

/** The mode as the list says it, of an identifier that calls create no customer with: where such a customer was created is not listed. */
export function listedMode(identifier: string, listed: KnownCustomer | undefined): boolean | undefined {
  const read = readIdentifier(identifier);
  return read.ok && read.kind === 'stripe-customer' ? listed?.stripe?.testMode : undefined;
}

/** Whether an email is an alias of the customer. */
export function isEmailOwner({ emailRole }: LinkedCustomer): boolean {
  return emailRole === 'owner' || emailRole === 'linked';
}

/** Whether the identifier is known from Stripe's test mode only: by the customer with this id, or by those with this email. */
export function isTestModeOnly(identifier: string, linked: readonly LinkedCustomer[]): boolean {
  const own = linked.filter(({ id }) => id === identifier);
  const theirs = own.length > 0 ? own : linked;
  return theirs.length > 0 && theirs.every(({ testMode }) => testMode);
}
