/** Whether a live or test environment runs a version. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';

export const isDeployed = (
  deployments: readonly Pick<EnvironmentStatus, 'environmentType' | 'artifactId'>[],
): boolean =>
  deployments.some(
    ({ environmentType, artifactId }) => environmentType === 'deployable' && artifactId !== null,
  );
