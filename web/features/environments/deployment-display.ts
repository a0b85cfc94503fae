/** How an environment's state of deployment is shown (specification, section 4 of both parts). */
import type { EnvironmentStatus } from '#contracts/artifacts';

export type DeploymentDisplay = 'empty' | 'deploying' | 'deployed';

type Shown = Pick<EnvironmentStatus, 'artifactId' | 'environmentType' | 'isHead' | 'deployInProgress'>;

/** `deploying`: a deploy is in progress, or it is a preview environment that has not caught up with the workspace. */
export function displayOf(status: Shown): DeploymentDisplay {
  if (status.artifactId === null) return 'empty';
  const isBehind = status.environmentType === 'preview' && !status.isHead;
  return isBehind || status.deployInProgress ? 'deploying' : 'deployed';
}

export function displayLabel(environmentName: string, display: DeploymentDisplay): string {
  const state = { empty: 'un-deployed', deploying: 'updating', deployed: 'deployed' }[display];
  return `${environmentName} environment is ${state}`;
}
