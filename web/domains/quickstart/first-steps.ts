/** The steps from an empty workspace to a deployed version with a key, and where each is done. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { paths } from '#web/paths.ts';
import { isDeployed } from './is-deployed.ts';

/** What the organisation has so far. */
export interface Progress {
  readonly features: number;
  readonly plans: number;
  readonly versions: number;
  readonly environments: readonly Pick<Environment, 'id' | 'type'>[];
  readonly deployments: readonly Pick<EnvironmentStatus, 'environmentType' | 'artifactId'>[];
  /** Total across all environments. */
  readonly keys: number;
}

export interface FirstStep {
  readonly id: 'feature' | 'plan' | 'version' | 'deploy' | 'key';
  readonly title: string;
  readonly description: string;
  readonly isDone: boolean;
  /** Link to the page where the step is done, and the link's label. */
  readonly to: string;
  readonly action: string;
}

export function firstStepsOf(orgId: string, progress: Progress): readonly FirstStep[] {
  const { features, plans, versions, environments, deployments, keys } = progress;
  const target = environments.find(({ type }) => type !== 'preview');
  const keyEnvironment = target ?? environments[0];
  return [
    {
      id: 'feature',
      title: 'Create a feature',
      description: 'A feature is anything you gate or meter: exports, SSO, seats.',
      isDone: features > 0,
      to: paths.features(orgId),
      action: 'Go to features',
    },
    {
      id: 'plan',
      title: 'Create a plan',
      description: 'Plans set feature values. Assign them by subscription, by sign-in status or manually.',
      isDone: plans > 0,
      to: paths.plans(orgId),
      action: 'Go to plans',
    },
    {
      id: 'version',
      title: 'Create a version',
      description: 'A version freezes your features and plans, so you can deploy them and roll back.',
      isDone: versions > 0,
      to: paths.environments(orgId, 'changes'),
      action: 'Go to changes',
    },
    {
      id: 'deploy',
      title: 'Deploy it',
      description:
        target === undefined
          ? 'Add a live or test environment, then deploy the version to it.'
          : 'Deploy the version to a live or test environment.',
      isDone: isDeployed(deployments),
      to: paths.environments(orgId, target === undefined ? 'environments' : 'versions'),
      action: target === undefined ? 'Go to environments' : 'Go to versions',
    },
    {
      id: 'key',
      title: 'Create an API key',
      description: 'Your application sends it with every access check.',
      isDone: keys > 0,
      to:
        keyEnvironment === undefined
          ? paths.environments(orgId, 'environments')
          : paths.environment(orgId, keyEnvironment.id, 'keys'),
      action: 'Go to API keys',
    },
  ];
}

/** The first open step. Undefined once all are done. */
export const nextFirstStep = (steps: readonly FirstStep[]): FirstStep | undefined =>
  steps.find(({ isDone }) => !isDone);
