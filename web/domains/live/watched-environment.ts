/** The environment that the live view watches. */
import type { Environment } from '#contracts/console/environments';

/**
 * @param environments undefined while loading
 * @param named the id in the address
 * @returns the id, or null for all environments: without a name, and after the named environment is deleted
 */
export function watchedEnvironment(
  environments: readonly Pick<Environment, 'id'>[] | undefined,
  named: string | null,
): string | null {
  return environments === undefined || environments.some(({ id }) => id === named) ? named : null;
}
