// Saved tests of workflows in words: how many pass, what a test is called, and what a deployment's dialog says of them.
import { describe, expect, test } from 'vitest';
import type { VersionTests } from '#contracts/console/workflow-tests';
import { testsLine } from '../../web/domains/environments/versions/deploy/version-tests.tsx';
import { countsOf, testStateOf } from '../../web/domains/workflows/test-counts.ts';
import { linesOf } from '../../web/forms/item-uses.tsx';
import { testNameOf } from '../../web/forms/test-name.ts';

describe('how many tests pass', () => {
  test.each<[[number, number, number], string, string, string]>([
    [[1, 0, 0], 'passed', '1 test passes', '1 passed'],
    [[3, 0, 0], 'passed', '3 tests pass', '3 passed'],
    [[0, 1, 0], 'failed', '1 test fails', '1 failed'],
    [[3, 1, 0], 'failed', '1 of 4 tests fails', '1 failed'],
    [[1, 2, 1], 'failed', '2 of 4 tests fail', '2 failed'],
    [[0, 3, 0], 'failed', '3 tests fail', '3 failed'],
    [[0, 0, 2], 'unknown', '2 tests not run', '2 not run'],
    [[1, 0, 1], 'unknown', '1 of 2 tests not run', '1 not run'],
  ])('%j is %s: %s', ([passed, failed, notRun], state, label, short) => {
    expect(testStateOf({ passed, failed, notRun })).toEqual({ state, label, short });
  });

  test('a workflow without tests says nothing of them', () => {
    expect(testStateOf({ passed: 0, failed: 0, notRun: 0 })).toBe(null);
  });

  test('a test without a result on the saved code has not run', () => {
    expect(countsOf([{ status: null }, { status: 'not-run' }, { status: 'passed' }])).toEqual({
      passed: 1,
      failed: 0,
      notRun: 2,
    });
  });
});

test.each<[unknown, string]>([
  [
    { customer: { email: 'ada@example.com', id: 'cus_1' }, identity: { identifier: 'cus_1' } },
    'ada@example.com',
  ],
  [{ customer: { email: null, id: 'cus_1' }, identity: { identifier: 'user-7' } }, 'user-7'],
  [{ customer: { id: null }, identity: { identifier: null } }, 'Anonymous session'],
  [{ customer: {}, identity: { identifier: 'ab' } }, 'Customer ab'],
  [{ identity: { identifier: 'x'.repeat(150) } }, 'x'.repeat(100)],
  [null, 'Anonymous session'],
])('a test of the input %j is called %s', (input, name) => {
  expect(testNameOf(input)).toBe(name);
});

test('lines of code are listed', () => {
  expect(linesOf({ lines: [] })).toBe('');
  expect(linesOf({ lines: [3] })).toBe(' (line 3)');
  expect(linesOf({ lines: [3, 8, 9] })).toBe(' (lines 3, 8 and 9)');
});

test('a deployment’s dialog says that tests run, pass or could not run; failures have a list of their own', () => {
  const problem = (status: 'failed' | 'not-run'): VersionTests['problems'][number] => ({
    testId: 'test_1',
    name: 'Ada',
    workflowId: 'wf_1',
    workflowName: 'Trial',
    status,
    expected: null,
    message: null,
    result: null,
  });
  expect(testsLine(undefined, true)).toBe('Running workflow tests…');
  expect(testsLine(undefined, false)).toBe('Workflow tests could not run.');
  expect(testsLine({ passed: 0, problems: [] }, false)).toBe(null);
  expect(testsLine({ passed: 1, problems: [] }, false)).toBe('1 workflow test passes.');
  expect(testsLine({ passed: 2, problems: [] }, false)).toBe('2 workflow tests pass.');
  expect(testsLine({ passed: 2, problems: [problem('not-run')] }, false)).toBe(
    '1 workflow test could not run.',
  );
  expect(testsLine({ passed: 2, problems: [problem('failed')] }, false)).toBe(null);
});
