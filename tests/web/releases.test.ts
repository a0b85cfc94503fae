import { expect, test } from 'vitest';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import type { Impact, ImpactChange, Replay } from '#contracts/console/impact';
import {
  behindLabel,
  lanesOf,
  placeOf,
  shownVersions,
} from '#web/domains/environments/versions/deploy/lanes-of.ts';
import {
  comparedLabel,
  costChangeWords,
  impactFigures,
  impactNotes,
  whoLabel,
} from '#web/domains/environments/versions/impact/impact-words.ts';
import { replaySentences } from '#web/domains/environments/versions/impact/replay-words.ts';

const status = (
  environmentId: string,
  artifactNumber: number | null,
  more: Partial<EnvironmentStatus> = {},
) =>
  ({
    environmentId,
    environmentName: environmentId,
    environmentType: 'deployable',
    artifactId: artifactNumber === null ? null : `art_${artifactNumber}`,
    artifactNumber,
    isHead: false,
    deployInProgress: false,
    ...more,
  }) as EnvironmentStatus;
const preview = status('preview', null, { environmentType: 'preview', artifactId: 'art_head' });
/** Newest first. */
const versions = Array.from({ length: 14 }, (_, index) => ({ artifactNumber: 14 - index }));

test('each environment has a lane, until there are too many: then those that run one version share one', () => {
  const few = [preview, status('a', 1), status('b', 1)];
  expect(lanesOf(few).map(({ environments }) => environments.length)).toEqual([1, 1, 1]);
  const cells = Array.from({ length: 24 }, (_, index) =>
    status(`cell-${index}`, index % 2 === 0 ? 14 : null),
  );
  const moving = status('moving', 14, { deployInProgress: true });
  const lanes = lanesOf([preview, ...cells, moving]);
  expect(lanes.map(({ environments }) => environments.length)).toEqual([1, 12, 12, 1]);
  expect(lanes.flatMap(({ environments }) => environments)).toHaveLength(26);
});

test('an environment is behind by the versions that are newer, also where some were deleted', () => {
  expect(behindLabel(status('a', 14), versions)).toEqual({ text: 'Newest version', isBehind: false });
  expect(behindLabel(status('a', 11), versions)).toEqual({ text: '3 versions behind', isBehind: true });
  const without13 = versions.filter(({ artifactNumber }) => artifactNumber !== 13);
  expect(behindLabel(status('a', 12), without13)).toEqual({ text: '1 version behind', isBehind: true });
  expect(behindLabel(status('a', null), versions).text).toBe('Nothing deployed');
  expect(behindLabel(status('a', null), []).text).toBe('No version yet');
});

test('the axis has the newest versions; what is older than all of them is not on it', () => {
  const shown = shownVersions(versions);
  expect(shown.map(({ artifactNumber }) => artifactNumber)).toEqual([
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  ]);
  expect(placeOf(status('a', 3), shown)).toBe(0);
  expect(placeOf(status('a', 14), shown)).toBe(11);
  expect(placeOf(status('a', 2), shown)).toBe(-1);
  expect(placeOf(status('a', null), shown)).toBe(-1);
  expect(placeOf(preview, shown)).toBe(11);
});

const none: Impact = {
  fromArtifactNumber: 1,
  toArtifactNumber: 3,
  asOf: 0,
  customers: 4812,
  customersThatLose: 0,
  customersWithLess: 0,
  customersThatChange: 0,
  customersWithMore: 0,
  kept: [],
  notCompared: 0,
  readings: 0,
  changes: [],
  changesLeft: 0,
  changedWorkflows: [],
};
const figures = (impact: Impact) => impactFigures(impact).map(({ count, label }) => `${count} ${label}`);
const change = (more: Partial<ImpactChange>): ImpactChange => ({
  kind: 'less',
  featureName: 'Exports',
  propertyId: 'prop_1',
  propertyName: 'Exports',
  path: 'exports.exports',
  isFeature: false,
  before: { state: 'on' },
  after: { state: 'off' },
  customers: 1,
  names: [],
  ...more,
});

test('every customer is in one figure, and figures of nobody are left out, but for who keeps everything', () => {
  expect(figures(none)).toEqual(['4812 customers keep what they have']);
  expect(figures({ ...none, customersThatLose: 1, customersWithMore: 84 })).toEqual([
    '1 customer loses access',
    '84 customers get more',
    '4727 customers keep what they have',
  ]);
  expect(figures({ ...none, customers: 2, customersWithLess: 2 })).toEqual([
    '2 customers get less',
    '0 customers keep what they have',
  ]);
  expect(comparedLabel(none)).toBe('4,812 known customers, compared with v1');
});

test('who is concerned is said by plan where all that are named have it', () => {
  const named = (...plans: string[][]) =>
    plans.map((each, index) => ({ identifier: `c-${index}`, name: null, plans: each, used: null }));
  expect(whoLabel({ customers: 84, names: named(['Team'], ['Team']) })).toBe('84 customers on Team');
  expect(whoLabel({ customers: 84, names: named(['Team'], ['Free']) })).toBe('84 customers');
  expect(whoLabel({ customers: 3, names: named([], []) })).toBe('3 customers');
});

test('a change of what something costs is one sentence', () => {
  const credits = (per: number) => ({ path: 'ai.credits', per });
  const words = (before: number | null, after: number | null) =>
    costChangeWords({
      before: before === null ? null : credits(before),
      after: after === null ? null : credits(after),
    });
  expect(words(2, 4)).toBe('each one will cost 4 instead of 2 of ai.credits');
  expect(words(null, 0.25)).toBe('each one will cost 0.25 of ai.credits');
  expect(words(4, null)).toBe('each one will cost nothing instead of 4 of ai.credits');
  const moved = { before: credits(4), after: { path: 'ai.tokens', per: 4 } };
  expect(costChangeWords(moved)).toBe('each one will cost 4 of ai.tokens instead of 4 of ai.credits');
});

test('what the figures leave open is said', () => {
  expect(impactNotes(none)).toEqual([]);
  const names = [{ identifier: 'c', name: null, plans: [], used: null }];
  const after = { state: 'metered', meter: {} as never } as const;
  const notes = (used: number | null, customers: number) =>
    impactNotes({
      ...none,
      changes: [change({ kind: 'less', after, customers, names: [{ ...names[0]!, used }] })],
    });
  expect(notes(3, 1)).toEqual([]);
  expect(notes(3, 2)).toEqual(notes(null, 1));
  expect(notes(null, 1)).toEqual([
    'Whether customers whose limit falls lose access isn’t known: their usage wasn’t read.',
  ]);
  expect(
    impactNotes({
      ...none,
      readings: 50,
      changes: [change({ after: { state: 'metered', meter: {} as never }, names })],
      notCompared: 1,
      changesLeft: 2,
    }),
  ).toEqual([
    'Usage was read for 50 customers whose limit falls. Whether the others lose access isn’t known.',
    '1 further customer could not be compared.',
    '2 more changes concern fewer customers each.',
  ]);
});

const replay: Replay = {
  workflows: ['Gate'],
  newWorkflows: [],
  found: 1_000,
  replayed: 1_000,
  denied: 0,
  allowed: 0,
  changes: 0,
  fails: 0,
  customers: [],
  customersLeft: 0,
};

test('recorded checks with changed workflows are one sentence, which says how many were decided', () => {
  expect(replaySentences(replay)).toEqual([
    'Of the last 1,000 checks that ran the workflow “Gate”, nothing changes.',
  ]);
  expect(
    replaySentences({
      ...replay,
      replayed: 400,
      denied: 12,
      allowed: 1,
      fails: 2,
      newWorkflows: ['Trial', 'Pilot'],
    }),
  ).toEqual([
    'Of the last 1,000 checks that ran the workflow “Gate”, 400 could be decided again in time: 12 go from allowed to denied, 1 goes from denied to allowed and 2 fail.',
    'No check has run the new workflows “Trial”, “Pilot” yet.',
  ]);
  expect(replaySentences({ ...replay, found: 1, replayed: 0 })).toEqual([
    'It could not be decided in time what changes for the last check that ran the workflow “Gate”.',
  ]);
  expect(replaySentences({ ...replay, found: 0, replayed: 0 })).toEqual([
    'No recorded check ran the workflow “Gate” here.',
  ]);
});
