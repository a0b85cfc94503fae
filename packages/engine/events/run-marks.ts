/** How the workflow runs of a group's calls ended, as far as it matters for the share of kills. */

import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { RecordedEvent, RunMark } from '#contracts/internal/event-batch';

const MAX_REASON = 200;

export class RunMarks {
  readonly #marks: RunMark[] = [];
  /** Index of each workflow's last mark. */
  readonly #last = new Map<string, number>();

  /** Runs that did not begin, or whose runner did not answer, say nothing about their workflow. */
  add({ time: startedAt, timings }: RecordedEvent, executions: readonly WorkflowExecution[]): void {
    const endedAt = Math.floor(startedAt + (timings?.totalMs ?? 0));
    for (const { workflowId, status, diagnosticMessages } of executions) {
      if (status === undefined || status === 'skipped' || status === 'lost') continue;
      const killed = status === 'killed' ? (diagnosticMessages[0] ?? '').slice(0, MAX_REASON) : null;
      this.#mark({ workflowId, startedAt, endedAt, killed, runs: 1 });
    }
  }

  get all(): readonly RunMark[] {
    return this.#marks;
  }

  /** Runs that end alike, one after the other, are one mark. */
  #mark(mark: RunMark): void {
    const index = this.#last.get(mark.workflowId);
    const last = index === undefined ? undefined : this.#marks[index];
    if (index !== undefined && last?.killed === mark.killed) {
      this.#marks[index] = { ...last, runs: (last.runs ?? 1) + 1 };
      return;
    }
    this.#last.set(mark.workflowId, this.#marks.length);
    this.#marks.push(mark);
  }
}
