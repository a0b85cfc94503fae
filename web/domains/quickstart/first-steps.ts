/** The steps from an empty workspace to a deployed version with a key. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
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
  /** The label of the button that does it; none if the step has a form of its own. */
  readonly action?: string;
}

export function firstStepsOf(progress: Progress): readonly FirstStep[] {
  const { features, plans, versions, environments, deployments, keys } = progress;
  const target = targetOf(environments);
  return [
    {
      id: 'feature',
      title: 'Create a feature',
      description: 'A feature is anything you gate or meter: exports, SSO, seats.',
      isDone: features > 0,
      action: 'Create a feature',
    },
    {
      id: 'plan',
      title: 'Create a plan',
      description: 'Plans set feature values. Assign them by subscription, by sign-in status or manually.',
      isDone: plans > 0,
      action: 'Create a plan',
    },
    {
      id: 'version',
      title: 'Create a version',
      description: 'A version freezes your features and plans, so you can deploy them and roll back.',
      isDone: versions > 0,
    },
    {
      id: 'deploy',
      title: 'Deploy it',
      description:
        target === undefined
          ? 'Add a live or test environment, then deploy the version to it.'
          : 'Deploy the version to a live or test environment.',
      isDone: isDeployed(deployments),
      action: target === undefined ? 'Add an environment' : 'Deploy',
    },
    {
      id: 'key',
      title: 'Create an API key',
      description: 'Your application sends it with every access check.',
      isDone: keys > 0,
      action: 'Create an API key',
    },
  ];
}

/** Where the version is deployed, and the key is for: the first live or test environment. */
export const targetOf = <Any extends Progress['environments'][number]>(
  environments: readonly Any[],
): Any | undefined => environments.find(({ type }) => type !== 'preview');

/** The first open step. Undefined once all are done. */
export const nextFirstStep = (steps: readonly FirstStep[]): FirstStep | undefined =>
  steps.find(({ isDone }) => !isDone);
