/**
 * Which share of a workflow's runs in an environment was killed, in all isolates and data locations: they all record their events
 * here. The count begins with a kill and lasts ten minutes, so a workflow that is not killed costs nothing. A lost run counts for
 * nobody: what took its runner down is unknown, and may have been another organisation's code.
 */
import type { RunMark } from '#contracts/internal/event-batch';
import type { WorkflowKilledRepeatedly } from '#runtime/messages';

const WINDOW_MS = 10 * 60_000;
/** Fewer runs say nothing about the next one. */
const MIN_RUNS = 50;
/** Share of killed runs from which the workflow is switched off in the environment. */
const MAX_SHARE = 0.5;

interface Count {
  readonly environmentId: string;
  readonly workflowId: string;
  /** When the first killed run began. */
  readonly fromAt: number;
  runs: number;
  kills: number;
  /** Why the last run was killed. */
  reason: string;
}

type Reached = Omit<WorkflowKilledRepeatedly, 'type' | 'orgId'>;

export class KillRates {
  readonly #sql: SqlStorage;
  /** All of them: few workflows are killed. Null until they are read. */
  #counts: Map<string, Count> | null = null;
  readonly #reached = new Map<string, Reached>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs inside the transaction that stores the events. */
  add(environmentId: string, marks: readonly RunMark[]): void {
    const changed = new Set<Count>();
    for (const mark of marks) {
      const count = mark.isLost ? undefined : this.#countFor(environmentId, mark);
      if (count === undefined) continue;
      count.runs += mark.runs ?? 1;
      if (mark.killed !== null) {
        count.kills += mark.runs ?? 1;
        count.reason = mark.killed;
      }
      changed.add(count);
    }
    for (const count of changed) this.#store(count);
  }

  /** Starts again from zero: the workflow was switched off, or enabled again. */
  forget(environmentId: string, workflowId: string): void {
    const key = keyOf(environmentId, workflowId);
    if (!this.#all().delete(key)) return;
    this.#reached.delete(key);
    this.#sql.exec('DELETE FROM kill_rate WHERE env_id = ? AND workflow_id = ?', environmentId, workflowId);
  }

  /** Whether so many runs were killed that the workflow is to be switched off. */
  isReached(environmentId: string, workflowId: string): boolean {
    const count = this.#all().get(keyOf(environmentId, workflowId));
    return count !== undefined && isTooMany(count);
  }

  /** Whether the share was reached, or exceeded, since the last `takeReached`. */
  get hasReached(): boolean {
    return this.#reached.size > 0;
  }

  takeReached(): Reached[] {
    const reached = [...this.#reached.values()];
    this.#reached.clear();
    return reached;
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#counts = null;
    this.#reached.clear();
  }

  /** The count under way, or a new one if the run was killed. */
  #countFor(environmentId: string, { workflowId, startedAt, killed }: RunMark): Count | undefined {
    const key = keyOf(environmentId, workflowId);
    const current = this.#all().get(key);
    if (current !== undefined && startedAt < current.fromAt + WINDOW_MS) return current;
    if (killed === null) {
      if (current !== undefined) this.forget(environmentId, workflowId);
      return undefined;
    }
    const count = { environmentId, workflowId, fromAt: startedAt, runs: 0, kills: 0, reason: killed };
    this.#all().set(key, count);
    return count;
  }

  #store(count: Count): void {
    const { environmentId, workflowId, fromAt, runs, kills, reason } = count;
    this.#sql.exec(
      `INSERT INTO kill_rate (env_id, workflow_id, from_at, runs, kills, reason) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET from_at = excluded.from_at, runs = excluded.runs, kills = excluded.kills, reason = excluded.reason`,
      ...[environmentId, workflowId, fromAt, runs, kills, reason],
    );
    if (isTooMany(count)) {
      this.#reached.set(keyOf(environmentId, workflowId), { environmentId, workflowId, runs, kills, reason });
    }
  }

  #all(): Map<string, Count> {
    this.#counts ??= new Map(
      this.#sql
        .exec<{
          environmentId: string;
          workflowId: string;
          fromAt: number;
          runs: number;
          kills: number;
          reason: string;
        }>(
          'SELECT env_id AS environmentId, workflow_id AS workflowId, from_at AS fromAt, runs, kills, reason FROM kill_rate',
        )
        .toArray()
        .map((count) => [keyOf(count.environmentId, count.workflowId), count]),
    );
    return this.#counts;
  }
}

function isTooMany({ runs, kills }: Count): boolean {
  return runs >= MIN_RUNS && kills >= runs * MAX_SHARE;
}

function keyOf(environmentId: string, workflowId: string): string {
  return `${environmentId} ${workflowId}`;
}
