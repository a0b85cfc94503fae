/** The environment that the dashboard's card of API keys shows first. */
import type { Environment } from '#contracts/console/environments';

/** @returns the live one, otherwise the first; undefined if there is none */
export function firstShown(environments: readonly Environment[]): Environment | undefined {
  return environments.find(({ type }) => type === 'live') ?? environments[0];
}
