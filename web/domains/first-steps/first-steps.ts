/** The steps from an empty organisation to its first access check, with their completion and links. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Environment } from '#contracts/console/environments';
import { paths } from '#web/paths.ts';

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

export interface Step {
  readonly id: 'feature' | 'plan' | 'version' | 'deploy' | 'key';
  readonly title: string;
  readonly description: string;
  readonly isDone: boolean;
  /** Link to the page where the step is done, and the link's label. */
  readonly to: string;
  readonly action: string;
}

export function stepsOf(orgId: string, progress: Progress): readonly Step[] {
  const { features, plans, versions, environments, deployments, keys } = progress;
  const target = environments.find(({ type }) => type !== 'preview');
  const keyEnvironment = target ?? environments[0];
  return [
    {
      id: 'feature',
      title: 'Create a feature',
      description:
        'Something your product can do, with the properties that plans set: limits, switches, texts.',
      isDone: features > 0,
      to: paths.features(orgId),
      action: 'Go to Features',
    },
    {
      id: 'plan',
      title: 'Create a plan',
      description:
        'Who gets which features, and with which values. With Stripe connected under Integrations, subscriptions decide who.',
      isDone: plans > 0,
      to: paths.plans(orgId),
      action: 'Go to Plans',
    },
    {
      id: 'version',
      title: 'Create a version',
      description: 'A frozen copy of your features and plans, ready to be deployed and to return to.',
      isDone: versions > 0,
      to: paths.environments(orgId, 'changes'),
      action: 'Go to Changes',
    },
    {
      id: 'deploy',
      title: 'Deploy it',
      description:
        target === undefined
          ? 'Add a live or test environment, then deploy the version there.'
          : 'Put the version in force in a live or test environment.',
      isDone: deployments.some(
        ({ environmentType, artifactId }) => environmentType === 'deployable' && artifactId !== null,
      ),
      to: paths.environments(orgId, target === undefined ? 'environments' : 'versions'),
      action: target === undefined ? 'Go to Environments' : 'Go to Versions',
    },
    {
      id: 'key',
      title: 'Create an API key',
      description: 'Your application asks with it what each of your customers may do.',
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
export const nextStep = (steps: readonly Step[]): Step | undefined => steps.find(({ isDone }) => !isDone);
