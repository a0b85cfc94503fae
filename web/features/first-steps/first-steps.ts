/** From an empty organisation to the first answer: which steps there are, which are done, and where each is taken. */
import type { EnvironmentStatus } from '#contracts/artifacts';
import type { Environment } from '#contracts/environments';
import { paths } from '../../paths.ts';

/** What there is so far, as the API says it. */
export interface Progress {
  readonly features: number;
  readonly plans: number;
  readonly versions: number;
  readonly environments: readonly Pick<Environment, 'id' | 'type'>[];
  readonly deployments: readonly Pick<EnvironmentStatus, 'environmentType' | 'artifactId'>[];
  /** In all environments together. */
  readonly keys: number;
}

export interface Step {
  readonly id: 'feature' | 'plan' | 'version' | 'deploy' | 'key';
  readonly title: string;
  readonly words: string;
  readonly isDone: boolean;
  /** Where it is taken, and what the way there is called. */
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
      words: 'Something your product can do, with the properties that plans set: limits, switches, texts.',
      isDone: features > 0,
      to: paths.features(orgId),
      action: 'Go to Features',
    },
    {
      id: 'plan',
      title: 'Create a plan',
      words:
        'Who gets which features, and with which values. With Stripe connected under Integrations, subscriptions decide who.',
      isDone: plans > 0,
      to: paths.plans(orgId),
      action: 'Go to Plans',
    },
    {
      id: 'version',
      title: 'Create a version',
      words: 'A frozen copy of your features and plans, ready to be deployed and to return to.',
      isDone: versions > 0,
      to: paths.environments(orgId, 'changes'),
      action: 'Go to Changes',
    },
    {
      id: 'deploy',
      title: 'Deploy it',
      words:
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
      words: 'Your application asks with it what each of your customers may do.',
      isDone: keys > 0,
      to:
        keyEnvironment === undefined
          ? paths.environments(orgId, 'environments')
          : paths.environment(orgId, keyEnvironment.id, 'keys'),
      action: 'Go to API keys',
    },
  ];
}

/** The first step that is left; undefined once all are done. */
export const nextStep = (steps: readonly Step[]): Step | undefined => steps.find(({ isDone }) => !isDone);
