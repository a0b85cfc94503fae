/** How the workflow runs of a group's calls ended, as far as it matters for counting kills in a row. */

import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import type { RecordedEvent, RunMark } from '#contracts/internal/event-batch';

const MAX_REASON = 200;

export class RunMarks {
  readonly #marks: RunMark[] = [];
  /** Index of each workflow's last mark. */
  readonly #last = new Map<string, number>();

  add({ time: startedAt, timings }: RecordedEvent, executions: readonly WorkflowExecution[]): void {
    const endedAt = Math.floor(startedAt + (timings?.totalMs ?? 0));
    for (const { workflowId, status, diagnosticMessages } of executions) {
      if (status === undefined || status === 'skipped') continue;
      const hasEnded = status === 'done' || status === 'failed';
      const killed = hasEnded ? null : (diagnosticMessages[0] ?? '').slice(0, MAX_REASON);
      this.#mark({ workflowId, startedAt, endedAt, killed, ...(status === 'lost' && { isLost: true }) });
    }
  }

  get all(): readonly RunMark[] {
    return this.#marks;
  }

  /** Runs that end by themselves one after the other are one mark. */
  #mark(mark: RunMark): void {
    const last = this.#last.get(mark.workflowId);
    if (mark.killed === null && last !== undefined && this.#marks[last]?.killed === null) return;
    this.#last.set(mark.workflowId, this.#marks.length);
    this.#marks.push(mark);
  }
}
