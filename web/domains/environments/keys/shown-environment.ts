/** The environment that the dashboard's card of API keys shows. */
import type { Environment } from '#contracts/console/environments';

/**
 * @param chosenId the user's choice, which ends when the environment is deleted
 * @returns the chosen one, otherwise the live one, otherwise the first; undefined if there is none
 */
export function shownEnvironment(
  environments: readonly Environment[],
  chosenId: string | null = null,
): Environment | undefined {
  return (
    environments.find(({ id }) => id === chosenId) ??
    environments.find(({ type }) => type === 'live') ??
    environments[0]
  );
}
