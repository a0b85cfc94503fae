// A saved test passes if the execution returned the expected JSON; a run that says nothing about the code is no failure.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { isSameJson } from '#engine/workflows/is-same-json';
import { judgeTest } from '#engine/workflows/judge-test';

const execution = (changes: Partial<WorkflowExecution>): WorkflowExecution => ({
  executionId: 'exe_1',
  workflowId: 'wf_1',
  workflowName: 'Trial',
  success: true,
  status: 'done',
  result: null,
  logs: [],
  diagnosticMessages: [],
  wallTime: 1,
  input: {},
  seed: '',
  ...changes,
});

/** The same JSON with the keys of its objects in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe('results are compared as JSON', () => {
  it('two texts of the same JSON are the same, in any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(isSameJson(JSON.parse(text), reversed(JSON.parse(text)))).toBe(true);
      }),
    );
  });

  it('two values are the same exactly if a third compares alike with both', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const same = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(isSameJson(left, right)).toBe(same);
        expect(isSameJson(right, left)).toBe(same);
      }),
    );
  });

  it.each<[unknown, unknown, boolean]>([
    [undefined, null, true],
    [{ a: undefined }, {}, true],
    [{ a: null }, {}, false],
    [{ a: 1 }, { b: 1 }, false],
    [[], {}, false],
    [[1], [1, 1], false],
    [[1, 2], [2, 1], false],
    [JSON.parse('{"__proto__":{"a":1}}'), {}, false],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
    [{}, { toString: 1 }, false],
    ['1', 1, false],
    [0, -0, true],
  ])('%j and %j: %s', (left, right, isSame) => {
    expect(isSameJson(left, right)).toBe(isSame);
    expect(isSameJson(right, left)).toBe(isSame);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => ({ key, member: sorted(member) }))
    .concat({ key: 'object', member: Array.isArray(value) });
}

describe('a test', () => {
  it('passes with the expected result', () => {
    expect(judgeTest(execution({ result: ['pro'] }), ['pro'])).toEqual({
      status: 'passed',
      message: null,
      result: ['pro'],
    });
  });

  it('fails with another result, and keeps it', () => {
    expect(judgeTest(execution({ result: [] }), ['pro'])).toMatchObject({ status: 'failed', result: [] });
  });

  it.each(['failed', 'killed'] as const)(
    'fails with the reason of a run that %s, whatever is expected',
    (status) => {
      const failed = execution({ status, success: false, diagnosticMessages: ['Line 3: no'] });
      expect(judgeTest(failed, null)).toEqual({ status: 'failed', message: 'Line 3: no', result: null });
    },
  );

  it.each(['lost', 'skipped'] as const)('is not run if the run was %s', (status) => {
    const run = execution({ status, success: false, diagnosticMessages: ['did not answer'] });
    expect(judgeTest(run, null)).toEqual({ status: 'not-run', message: 'did not answer', result: null });
  });
});
