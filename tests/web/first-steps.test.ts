// The first steps of a new organisation: checked off by what is there, and each leads where it is taken.
import { expect, test } from 'vitest';
import { nextStep, type Progress, stepsOf } from '../../web/features/first-steps/first-steps.ts';

const empty: Progress = {
  features: 0,
  plans: 0,
  versions: 0,
  environments: [{ id: 'env_preview', type: 'preview' }],
  deployments: [{ environmentType: 'preview', artifactId: 'art_head' }],
  keys: 0,
};
const doneOf = (progress: Progress) =>
  stepsOf('org_1', progress)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test('nothing is done in an organisation that only has its preview', () => {
  expect(doneOf(empty)).toEqual([]);
  expect(nextStep(stepsOf('org_1', empty))?.id).toBe('feature');
});

test('each is done by what it asks for, in any order', () => {
  expect(doneOf({ ...empty, plans: 1, keys: 2 })).toEqual(['plan', 'key']);
  const deployed = { environmentType: 'deployable', artifactId: 'art_1' } as const;
  const all = { ...empty, features: 1, plans: 1, versions: 1, keys: 1, deployments: [deployed] };
  expect(doneOf(all)).toHaveLength(5);
  expect(nextStep(stepsOf('org_1', all))).toBeUndefined();
});

test('an environment that runs nothing is not deployed', () => {
  expect(doneOf({ ...empty, deployments: [{ environmentType: 'deployable', artifactId: null }] })).toEqual(
    [],
  );
});

test('deploying leads to the environments until there is one to deploy to, then to the versions', () => {
  const linkOf = (id: string, progress: Progress) =>
    stepsOf('org_1', progress).find((step) => step.id === id)?.to;
  expect(linkOf('deploy', empty)).toBe('/o/org_1/environments/environments');
  expect(linkOf('key', empty)).toBe('/o/org_1/environments/environments/env_preview/keys');
  const live = { ...empty, environments: [...empty.environments, { id: 'env_live', type: 'live' as const }] };
  expect(linkOf('deploy', live)).toBe('/o/org_1/environments/versions');
  expect(linkOf('key', live)).toBe('/o/org_1/environments/environments/env_live/keys');
});
