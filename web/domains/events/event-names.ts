/** What events refer to, so that they can be shown by name and linked. Undefined while loading. */
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';

export interface EventNames {
  readonly environments: readonly Environment[] | undefined;
  readonly plans: readonly Plan[] | undefined;
  readonly features: readonly Feature[] | undefined;
}
