/** The environment that a customer is shown in. */
import type { Environment } from '#contracts/console/environments';

/** The environment with this id, otherwise the first live one, otherwise the first. */
export function chooseEnvironment(
  environments: readonly Environment[],
  id: string | null,
): Environment | undefined {
  return (
    environments.find((environment) => environment.id === id) ??
    environments.find(({ type }) => type === 'live') ??
    environments[0]
  );
}
