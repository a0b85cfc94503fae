// How the changes of a version are grouped and said, and what may be done with versions.
import { describe, expect, test } from 'vitest';
import type { Diff, DiffItem, EnvironmentStatus } from '#contracts/console/artifacts';
import { curlFor } from '../../web/domains/environments/keys/curl-for.ts';
import { describeChanges } from '../../web/domains/environments/versions/diff/describe-changes.ts';
import {
  countsLabel,
  groupDiff,
  searchDiff,
} from '../../web/domains/environments/versions/diff/group-diff.ts';
import { laggingOf, toChanges } from '../../web/domains/environments/versions/to-changes.ts';
import {
  moveOf,
  newVersionButton,
  predecessorOf,
  reasonAgainstDelete,
  reasonAgainstMove,
} from '../../web/domains/environments/versions/version-move.ts';

const item = (
  type: DiffItem['type'],
  itemType: DiffItem['itemType'],
  itemName: string,
  itemId = itemName,
  changes: DiffItem['changes'] = [],
): DiffItem => ({ type, itemType, itemName, itemId, property: null, changes });

const shapeOf = (items: readonly DiffItem[]) =>
  groupDiff(items).map(({ kind, name, rows }) => [kind, name, ...rows.map(({ label }) => label)]);

describe('a diff is grouped', () => {
  test('by feature, plan and workflow, in its own order', () => {
    expect(
      shapeOf([
        item('modify', 'feature-property', 'Exports › limit', 'prop_1'),
        item('modify', 'feature-property', 'Exports › formats', 'prop_2'),
        item('add', 'feature', 'Audit log', 'feat_2'),
        item('add', 'feature-property', 'Audit log › enabled', 'prop_3'),
        item('modify', 'plan-value', 'Pro › Exports › limit', 'plan_1:feat_1:prop_1'),
        item('add', 'plan-product', 'Pro › prod_1', 'plan_1:int_1:prod_1'),
        item('modify', 'plan-value', 'Pro › Exports › limit', 'plan_2:feat_1:prop_1'),
        item('remove', 'workflow', 'Route', 'wf_1'),
      ]),
    ).toEqual([
      ['feature', 'Exports', 'limit', 'formats'],
      ['feature', 'Audit log', null, 'enabled'],
      ['plan', 'Pro', 'Exports › limit', 'prod_1'],
      ['plan', 'Pro', 'Exports › limit'],
      ['workflow', 'Route', null],
    ]);
  });

  test("with a renamed feature's properties under it, whichever of its names they bear", () => {
    const renamed = item('modify', 'feature', 'Insights', 'feat_1', [
      { path: 'name', from: 'Analytics', to: 'Insights' },
    ]);
    expect(
      shapeOf([
        renamed,
        item('remove', 'feature-property', 'Analytics › exports', 'prop_1'),
        item('add', 'feature-property', 'Insights › zones', 'prop_2'),
      ]),
    ).toEqual([['feature', 'Insights', null, 'exports', 'zones']]);
  });

  test('and names with the separator in them stay whole', () => {
    expect(shapeOf([item('add', 'feature-property', 'A › B › limit', 'prop_1')])).toEqual([
      ['feature', 'A › B', 'limit'],
    ]);
  });

  test('counted in words, and searched by group, item and value', () => {
    const groups = groupDiff([
      item('add', 'feature', 'Exports', 'feat_1'),
      item('modify', 'feature-property', 'Exports › formats', 'prop_1', [
        { path: 'value', from: 'csv', to: 'parquet' },
      ]),
      item('remove', 'plan', 'Pro', 'plan_1'),
    ]);
    expect(groups.map(({ counts }) => countsLabel(counts))).toEqual(['1 added, 1 changed', '1 removed']);
    expect(searchDiff(groups, ' PARQUET ').map(({ rows }) => rows.length)).toEqual([1]);
    expect(searchDiff(groups, 'exports').map(({ rows }) => rows.length)).toEqual([2]);
    expect(searchDiff(groups, 'nothing')).toEqual([]);
    expect(searchDiff(groups, '')).toHaveLength(2);
  });
});

describe('a change is described', () => {
  const meter = (limit: number) => [
    { path: 'value.meter.limit', from: null, to: limit },
    { path: 'value.meter.periodCount', from: null, to: 30 },
    { path: 'value.meter.periodLength', from: null, to: 'day' },
    { path: 'value.meter.periodType', from: null, to: 'fixed' },
    { path: 'value.meter.uniqueResourceIds', from: null, to: false },
  ];

  test('as one value where all of it is there', () => {
    const changes = [...meter(500), { path: 'value.state', from: 'on', to: 'metered' }];
    expect(describeChanges(item('modify', 'plan-value', 'Pro › Exports › limit', 'x', changes))).toEqual([
      {
        label: 'Value',
        from: { kind: 'value', type: 'meterable', value: { state: 'on' }, bounds: null },
        to: {
          kind: 'value',
          type: 'meterable',
          value: {
            state: 'metered',
            meter: {
              limit: 500,
              periodType: 'fixed',
              periodCount: 30,
              periodLength: 'day',
              uniqueResourceIds: false,
            },
          },
          bounds: null,
        },
      },
    ]);
  });

  test('field by field where only a part of the value changed', () => {
    const changes = [{ path: 'value.meter.limit', from: 10, to: 25 }];
    const [line, ...others] = describeChanges(item('modify', 'plan-value', 'Pro › a › b', 'x', changes));
    expect(others).toEqual([]);
    expect(line).toMatchObject({ label: 'Limit', from: { value: 10 }, to: { value: 25 } });
  });

  test('with the words of a window that follows the customer’s billing', () => {
    const changes = [{ path: 'value.meter.periodType', from: 'rolling', to: 'billing' }];
    expect(describeChanges(item('modify', 'plan-value', 'Pro › a › b', 'x', changes))).toEqual([
      {
        label: 'Period',
        from: { kind: 'text', text: 'every …' },
        to: { kind: 'text', text: 'every billing …' },
      },
    ]);
  });

  test('with the bounds beside the value of a property that is new', () => {
    const changes = [
      { path: 'bounds.allowDecimal', from: null, to: false },
      { path: 'bounds.max', from: null, to: 365 },
      { path: 'key', from: null, to: 'days' },
      { path: 'name', from: null, to: 'Days' },
      { path: 'type', from: null, to: 'number' },
      { path: 'value', from: null, to: 0 },
    ];
    const lines = describeChanges(item('add', 'feature-property', 'Log › days', 'prop_1', changes));
    expect(lines.map(({ label }) => label)).toEqual(['Default', 'Type', 'Name']);
    expect(lines[0]).toMatchObject({
      from: null,
      to: { type: 'number', value: 0, bounds: { max: 365, allowDecimal: false } },
    });
  });

  test('in the words of the property pages where it says what holds when plans differ', () => {
    const rule = { path: 'conflictResolution', from: null, to: 'higher' };
    const said = (...others: DiffItem['changes']) =>
      describeChanges(item('add', 'feature-property', 'Log › days', 'prop_1', [...others, rule])).find(
        ({ label }) => label === 'When plans differ',
      )?.to;
    expect(said({ path: 'type', from: null, to: 'meterable' })).toEqual({
      kind: 'text',
      text: 'The limit that allows more wins',
    });
    expect(said({ path: 'value', from: 'csv', to: 'json' })).toMatchObject({
      text: 'Last in character order wins (a after Z)',
    });
    expect(said()).toMatchObject({ text: 'The higher value wins' });
  });

  test('with empty and false values as the values that they are', () => {
    const text = describeChanges(
      item('modify', 'plan-value', 'Pro › a › b', 'x', [{ path: 'value', from: 'csv', to: '' }]),
    );
    expect(text[0]?.to).toMatchObject({ kind: 'value', type: 'string', value: '' });
    const flag = describeChanges(
      item('modify', 'plan', 'Pro', 'plan_1', [{ path: 'grantToAnonymousSessions', from: true, to: false }]),
    );
    expect(flag[0]).toMatchObject({ label: 'Assign to Anonymous Users', to: { value: false } });
  });

  test('with the source of a workflow side by side, and the compiled code only if it changed alone', () => {
    const compiled = { path: 'compiled', from: 'a', to: 'b' };
    const source = { path: 'source', from: 'one\n', to: 'two\nthree\n' };
    const described = (type: 'add' | 'modify', ...changes: object[]) =>
      describeChanges(item(type, 'workflow', 'Route', 'wf_1', changes as never));
    expect(described('modify', compiled, source)).toEqual([
      {
        label: 'Code',
        from: { kind: 'source', text: 'one\n' },
        to: { kind: 'source', text: 'two\nthree\n' },
      },
    ]);
    expect(described('modify', compiled)).toMatchObject([{ label: 'Compiled code' }]);
    expect(described('add', { ...source, from: null }, { ...compiled, from: null })).toEqual([
      { label: 'Code', from: null, to: { kind: 'text', text: '2 lines' } },
    ]);
  });

  test('and every field of every item has a line, whatever it is called', () => {
    const changes = [{ path: '__proto__', from: null, to: 'x' }];
    expect(describeChanges(item('modify', 'workflow', 'Route', 'wf_1', changes))).toEqual([
      { label: '__proto__', from: null, to: { kind: 'text', text: 'x' } },
    ]);
  });
});

describe('moving an environment to a version', () => {
  test('is a rollback where what runs has the higher number', () => {
    expect(moveOf(3, null, 'Production')).toEqual({
      isRollback: false,
      label: 'Deploy version 3 to Production',
      shortLabel: 'Deploy v3 to Production',
    });
    expect(moveOf(3, 2, 'Production').label).toBe('Deploy version 3 to Production');
    expect(moveOf(2, 3, 'Production')).toEqual({
      isRollback: true,
      label: 'Roll back Production to version 2',
      shortLabel: 'Roll back Production to v2',
    });
  });

  test('back is to the version that ran before, if it is older and still there, otherwise to the next older one', () => {
    const versions = [4, 3, 2, 1].map((number) => ({ artifactId: `art_${number}`, artifactNumber: number }));
    const backFrom = (artifactNumber: number | null, previousArtifactId: string | null) =>
      predecessorOf({ artifactNumber, previousArtifactId }, versions)?.artifactNumber;
    expect(backFrom(4, 'art_2')).toBe(2);
    expect(backFrom(4, 'art_deleted')).toBe(3);
    expect(backFrom(4, null)).toBe(3);
    expect(backFrom(3, 'art_4')).toBe(2);
    expect(backFrom(1, 'art_4')).toBeUndefined();
    expect(backFrom(null, null)).toBeUndefined();
  });

  const status = {
    artifactId: 'art_2',
    artifactNumber: 2,
    environmentName: 'Production',
    environmentType: 'deployable',
    isHead: false,
    deployInProgress: false,
    locations: [] as EnvironmentStatus['locations'],
  } as const;
  const version = { artifactId: 'art_1', artifactNumber: 1 };

  test('is refused while a deploy is in progress there, and to what runs already', () => {
    expect(reasonAgainstMove(version, status)).toBeNull();
    expect(reasonAgainstMove(version, { ...status, deployInProgress: true })).toBe('Still updating');
    expect(reasonAgainstMove(version, { ...status, artifactId: 'art_1' })).toBe('Runs this version');
  });

  test('back is offered as soon as a region has not confirmed the deployment in time, and no other move', () => {
    const withRegion = (isUpToDate: boolean, failedAt: number | null) => ({
      ...status,
      deployInProgress: true,
      locations: [
        { location: 'weur', isUpToDate: true, failedAt: null } as const,
        { location: 'afr', isUpToDate, failedAt } as const,
      ],
    });
    const newer = { artifactId: 'art_3', artifactNumber: 3 };
    expect(reasonAgainstMove(version, withRegion(false, null))).toBe('Still updating');
    expect(reasonAgainstMove(version, withRegion(false, 5))).toBeNull();
    expect(reasonAgainstMove(newer, withRegion(false, 5))).toBe('Still updating');
    expect(reasonAgainstMove({ ...newer, artifactId: 'art_2' }, withRegion(false, 5))).toBe('Still updating');
  });

  test('a version is not deleted while a live or test environment runs it; the preview may', () => {
    const running = { ...status, artifactId: 'art_1' };
    expect(reasonAgainstDelete(version, [status])).toBeNull();
    expect(reasonAgainstDelete(version, [running])).toBe('Deployed to Production');
    expect(reasonAgainstDelete(version, [{ ...running, environmentType: 'preview' }])).toBeNull();
  });
});

test('a version can be created when the workspace changed, equals no version, and nothing is loading', () => {
  const ready = { itemCount: 2, headNumber: null, isLoading: false };
  expect(newVersionButton(ready)).toEqual({ label: 'Create New Version', isEnabled: true, reason: null });
  expect(newVersionButton({ ...ready, isLoading: true }).isEnabled).toBe(false);
  expect(newVersionButton({ ...ready, itemCount: undefined })).toMatchObject({
    label: 'Create New Version',
    isEnabled: false,
  });
  expect(newVersionButton({ ...ready, itemCount: 0 })).toMatchObject({
    label: 'Workspace Up-to-Date',
    isEnabled: false,
  });
  expect(newVersionButton({ ...ready, headNumber: 2 })).toMatchObject({
    isEnabled: false,
    reason: 'The workspace is version 2 already',
  });
});

test('what each one costs is a line of its own', () => {
  const changes = [{ path: 'costs', from: null, to: '0.25 of ai.credits' }];
  const [line] = describeChanges({ ...item('modify', 'feature-property', 'Tokens'), changes });
  expect(line).toEqual({
    label: 'Each one costs',
    from: { kind: 'text', text: 'nothing' },
    to: { kind: 'text', text: '0.25 of ai.credits' },
  });
});

test('parts of a limit that come, go or change as a whole are one line each, in words', () => {
  const meter = (path: string, from: unknown, to: unknown) => ({ path: `value.${path}`, from, to });
  const changes = [
    meter('meter.limit', 20, 30),
    meter('meter.overage', 'allow', null),
    meter('meter.overage.upTo', null, 200),
    meter('meter.rollover.max', null, 'all'),
    meter('meter.rollover.lasts.months', null, 2),
    meter('meter.trialLimit', 10, null),
    meter('perEntity.limit', 300, null),
    meter('perEntity.periodType', 'rolling', null),
    meter('perEntity.periodCount', 1, null),
    meter('perEntity.periodLength', 'month', null),
    meter('perEntity.seats', 'team.seats', null),
  ];
  const words = describeChanges({ ...item('modify', 'plan-value', 'Credits'), changes }).map(
    ({ label, from, to }) => [label, from, to].map((each) => Object(each).text ?? Object(each).value ?? each),
  );
  expect(words).toEqual([
    ['Limit', 20, 30],
    ['Overage', 'any amount', 'up to 200'],
    ['Unused', 'is lost', 'all that is left rolls over for 2 months'],
    ['Limit in a trial', 10, 'the same'],
    ['Each member may use', '300 / month, with a seat of team.seats', 'no limit of its own'],
  ]);
});

test('of parts that stay, each changed field is a line', () => {
  const changes = [
    { path: 'value.meter.rollover.share', from: 50, to: null },
    { path: 'value.meter.rollover.lasts', from: null, to: 'forever' },
    { path: 'value.meter.rollover.lasts.months', from: 1, to: null },
    { path: 'value.perEntity.seats', from: null, to: 'team.seats' },
    { path: 'value.perEntity.periodType', from: 'rolling', to: 'fixed' },
  ];
  const words = describeChanges({ ...item('modify', 'plan-value', 'Credits'), changes }).map(
    ({ label, from, to }) => [label, from, to].map((each) => Object(each).text ?? Object(each).value ?? each),
  );
  expect(words).toEqual([
    ['Percent that rolls over', 50, '100'],
    ['What rolls over lasts', '1 month', 'without an end'],
    ['Seats of members', 'not needed', 'team.seats'],
    ['Period of each member', 'every …', 'in the last …'],
  ]);
});

test('a property that a balance opens is on where it was off', () => {
  const changes = [{ path: 'balanceOpens', from: null, to: true }];
  const [line] = describeChanges({ ...item('modify', 'feature-property', 'Minutes'), changes });
  expect(line).toEqual({
    label: 'A balance opens the feature',
    from: { kind: 'text', text: 'off' },
    to: { kind: 'value', type: 'boolean', value: true, bounds: null },
  });
});

test('what each one costs by a plan is a line of its own', () => {
  const changes = [{ path: 'value.costs.per', from: null, to: 3 }];
  const [line] = describeChanges({ ...item('modify', 'plan-value', 'Tokens'), changes });
  expect(line).toMatchObject({
    label: 'Each one costs',
    from: { kind: 'text', text: 'what the property says' },
    to: { kind: 'value', value: 3 },
  });
});

test('what is reviewed is what an environment behind would get, once the workspace is a version', () => {
  const environments = [1, 2].map((artifactNumber) => ({
    environmentId: `env_${artifactNumber}`,
    artifactNumber,
  })) as EnvironmentStatus[];
  const pathOf = (items: readonly DiffItem[], fromArtifactNumber: number | null) =>
    toChanges('org_1', { items, fromArtifactNumber } as Diff, environments).replace(/.*changes/, '');
  expect(pathOf([], 2)).toBe('?version=2&environment=env_1');
  expect(pathOf([], 1)).toBe('?version=1&environment=env_2');
  expect(pathOf([item('add', 'plan', 'Team')], 2)).toBe('');
  expect(pathOf([], null)).toBe('');
});

test('what lags most is a live environment where one lags, and what runs nothing lags more', () => {
  const running = (environmentName: string, artifactNumber: number | null, isLive: boolean) =>
    ({ environmentName, artifactNumber, isLive }) as EnvironmentStatus;
  const test = running('Test', null, false);
  const staging = running('Staging', 2, false);
  const production = running('Production', 2, true);
  const cell = running('Cell', 1, true);
  const namesOf = (...statuses: EnvironmentStatus[]) =>
    laggingOf(3, statuses).map(({ environmentName }) => environmentName);
  expect(namesOf(test, staging, production, cell)).toEqual(['Cell', 'Production', 'Test', 'Staging']);
  expect(namesOf(production, { ...cell, artifactNumber: null })).toEqual(['Cell', 'Production']);
  expect(namesOf(staging, { ...production, artifactNumber: 3 })).toEqual(['Staging']);
  expect(laggingOf(null, [production])).toEqual([]);
});

test('the example access check names a user with a secret key only', () => {
  const secret = curlFor('https://t.example', 'secret', 'tsr_sec_1');
  expect(secret).toContain('userIdentifier');
  expect(secret).toMatch(/^export TESSERA_KEY=tsr_sec_1\ncurl /);
  expect(secret).toContain('Bearer $TESSERA_KEY"');
  const anonymous = curlFor('https://t.example', 'public', 'tsr_pub_1');
  expect(anonymous).toContain(`-d '{}'`);
  expect(anonymous).toContain('https://t.example/api/v1/access-checks');
});
