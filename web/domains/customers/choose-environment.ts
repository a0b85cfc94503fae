/** The environment that a customer is shown in. */
import type { Environment } from '#contracts/console/environments';
import type { LinkedCustomer } from '#contracts/console/linked-customer';

/**
 * The environment with this id, otherwise the first live one, otherwise the first. A customer of Stripe's test mode has nothing in
 * live environments, so the first test environment comes before them, then the preview.
 */
export function chooseEnvironment(
  environments: readonly Environment[],
  id: string | null,
  isTestMode: boolean,
): Environment | undefined {
  const types = isTestMode ? (['test', 'preview'] as const) : (['live'] as const);
  const first = types.flatMap((wanted) => environments.find(({ type }) => type === wanted) ?? []);
  return environments.find((environment) => environment.id === id) ?? first[0] ?? environments[0];
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
