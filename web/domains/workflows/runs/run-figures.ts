/** A workflow's runs of a range in figures, and its failed runs by reason. Pure. */
import type { EventMetrics } from '#contracts/console/event-metrics';
import type { RecordedRun } from '#contracts/console/workflow-executions';
import { formatLatency, formatNumber } from '#web/ui/format.ts';

export interface RunFigures {
  readonly total: number;
  readonly failed: number;
  /** Milliseconds; null without runs. */
  readonly p95: number | null;
}

const NO_RUNS: RunFigures = { total: 0, failed: 0, p95: null };

/** Whatever did not end by itself counts as failed: the check was answered without it. */
export function runFiguresOf({ workflows }: Pick<EventMetrics, 'workflows'>, workflowId: string): RunFigures {
  const entry = workflows.find(({ id }) => id === workflowId);
  if (entry === undefined) return NO_RUNS;
  const total = Object.values(entry.runs).reduce((sum, count) => sum + count, 0);
  return { total, failed: total - entry.runs.done, p95: entry.latency?.p95 ?? null };
}

/** '1,204 runs in 24 hours, 12 failed, p95 4 ms'. */
export function figuresLabel({ total, failed, p95 }: RunFigures): string {
  if (total === 0) return 'No runs in 24 hours';
  const runs = `${formatNumber(total)} ${total === 1 ? 'run' : 'runs'} in 24 hours`;
  return `${runs}, ${failed === 0 ? 'none' : formatNumber(failed)} failed${p95 === null ? '' : `, p95 ${formatLatency(p95)}`}`;
}

export const RUN_LABELS: Readonly<Record<RecordedRun['status'], string>> = {
  done: 'Done',
  failed: 'Failed',
  killed: 'Stopped',
  lost: 'Lost',
  skipped: 'Skipped',
};

export interface RunGroup {
  readonly reason: string;
  readonly runs: readonly RecordedRun[];
}

/** The most frequent reason first; equal ones by their newest run. */
export function groupByReason(runs: readonly RecordedRun[]): RunGroup[] {
  const groups = Map.groupBy(runs, ({ reason, status }) => reason ?? RUN_LABELS[status]);
  return [...groups]
    .map(([reason, some]) => ({ reason, runs: some }))
    .sort((one, other) => other.runs.length - one.runs.length);
}
