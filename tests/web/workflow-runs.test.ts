// A workflow's runs: figures of 24 hours, and failures by reason.
import { expect, test } from 'vitest';
import type { RecordedRun } from '#contracts/console/workflow-executions';
import { figuresLabel, groupByReason, runFiguresOf } from '../../web/domains/workflows/runs/run-figures.ts';

const runs = { done: 1_190, failed: 3, killed: 4, lost: 5, skipped: 2 };
const latency = { p50: 1, p95: 4, p99: 9 };

test('whatever did not end by itself counts as failed', () => {
  const metrics = { workflows: [{ id: 'wf_1', runs, latency }] };
  const figures = runFiguresOf(metrics, 'wf_1');
  expect(figures).toEqual({ total: 1_204, failed: 14, p95: 4 });
  expect(figuresLabel(figures)).toBe('1,204 runs in 24 hours, 14 failed, p95 4.0\u202fms');
  expect(figuresLabel(runFiguresOf(metrics, 'wf_2'))).toBe('No runs in 24 hours');
  expect(figuresLabel({ total: 1, failed: 0, p95: null })).toBe('1 run in 24 hours, none failed');
});

test('failed runs are grouped by reason, the most frequent first', () => {
  const run = (changes: Partial<RecordedRun>) => ({ status: 'failed', ...changes }) as RecordedRun;
  const groups = groupByReason([
    run({ reason: 'It threw', time: 9 }),
    run({ reason: null, status: 'lost', time: 8 }),
    run({ reason: null, status: 'lost', time: 7 }),
  ]);
  expect(groups.map(({ reason, runs: some }) => [reason, some.map(({ time }) => time)])).toEqual([
    ['Lost', [8, 7]],
    ['It threw', [9]],
  ]);
});
