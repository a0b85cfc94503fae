/** Maps an environment's deployment status to the state that the console shows. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { sentence } from '#web/ui/format.ts';

export type DeploymentDisplay = 'empty' | 'deploying' | 'deployed';

type Shown = Pick<EnvironmentStatus, 'artifactId' | 'environmentType' | 'isHead' | 'deployInProgress'>;

/** `deploying`: a deployment is in progress, or the preview environment is behind the workspace. */
export function displayOf(status: Shown): DeploymentDisplay {
  if (status.artifactId === null) return 'empty';
  return isMoving(status) ? 'deploying' : 'deployed';
}

/** Whether the status will change without the user, also from `empty`: a new preview environment is behind until it is built. */
export function isMoving({ environmentType, isHead, deployInProgress }: Shown): boolean {
  return deployInProgress || (environmentType === 'preview' && !isHead);
}

export function displayLabel(environmentName: string, display: DeploymentDisplay): string {
  const state = { empty: 'un-deployed', deploying: 'updating', deployed: 'deployed' }[display];
  return sentence`${environmentName} environment is ${state}`;
}
