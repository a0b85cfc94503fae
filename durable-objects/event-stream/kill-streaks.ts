/**
 * How often in a row each workflow was killed in an environment, in all isolates and data locations: they all record their events
 * here. Runs that end by themselves cost nothing unless a kill came before.
 */
import type { RunMark } from '#contracts/internal/event-batch';
import type { WorkflowKilledRepeatedly } from '#worker/queue/messages';

/** In a row: then the workflow is switched off in the environment. */
const MAX_KILLS = 5;
/** A lost run counts a quarter: another workflow may have kept the runner busy, or the platform. */
const QUARTERS = 4;

interface Streak {
  readonly environmentId: string;
  readonly workflowId: string;
  /** Lost runs, and kills four times. */
  readonly quarters: number;
  /** When the call of the last counted kill ended. */
  readonly lastAt: number;
  readonly reason: string;
}

type ReachedStreak = Omit<WorkflowKilledRepeatedly, 'type' | 'orgId'>;

export class KillStreaks {
  readonly #sql: SqlStorage;
  /** All of them: few workflows are killed. Null until they are read. */
  #streaks: Map<string, Streak> | null = null;
  readonly #reached = new Map<string, ReachedStreak>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Runs inside the transaction that stores the events. */
  add(environmentId: string, runs: readonly RunMark[]): void {
    for (const run of runs) {
      if (run.killed === null) this.forget(environmentId, run.workflowId);
      else this.#count(environmentId, run, run.killed);
    }
  }

  /** Starts again from zero: the workflow ended by itself, was switched off, or was enabled again. */
  forget(environmentId: string, workflowId: string): void {
    const key = keyOf(environmentId, workflowId);
    if (!this.#all().delete(key)) return;
    this.#reached.delete(key);
    this.#sql.exec('DELETE FROM kill_streak WHERE env_id = ? AND workflow_id = ?', environmentId, workflowId);
  }

  /** Whether the limit is reached still. */
  isReached(environmentId: string, workflowId: string): boolean {
    return killsOf(this.#all().get(keyOf(environmentId, workflowId))) >= MAX_KILLS;
  }

  /** Whether a kill reached the limit, or exceeded it, since the last `takeReached`. */
  get hasReached(): boolean {
    return this.#reached.size > 0;
  }

  takeReached(): ReachedStreak[] {
    const reached = [...this.#reached.values()];
    this.#reached.clear();
    return reached;
  }

  /** Call after a rollback. */
  invalidate(): void {
    this.#streaks = null;
    this.#reached.clear();
  }

  /** Calls that were under way together count once: one crash ends the runs of all of them. */
  #count(environmentId: string, { workflowId, startedAt, endedAt, isLost }: RunMark, reason: string): void {
    const key = keyOf(environmentId, workflowId);
    const before = this.#all().get(key);
    if (before !== undefined && startedAt < before.lastAt) return;
    const quarters = (before?.quarters ?? 0) + (isLost ? 1 : QUARTERS);
    const streak = { environmentId, workflowId, quarters, lastAt: endedAt, reason };
    this.#all().set(key, streak);
    this.#sql.exec(
      `INSERT INTO kill_streak (env_id, workflow_id, kills, last_at, reason) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET kills = excluded.kills, last_at = excluded.last_at, reason = excluded.reason`,
      ...[environmentId, workflowId, quarters, endedAt, reason],
    );
    const kills = killsOf(streak);
    if (kills >= MAX_KILLS) this.#reached.set(key, { environmentId, workflowId, kills, reason });
  }

  #all(): Map<string, Streak> {
    this.#streaks ??= new Map(
      this.#sql
        .exec<{ env_id: string; workflow_id: string; kills: number; last_at: number; reason: string }>(
          'SELECT env_id, workflow_id, kills, last_at, reason FROM kill_streak',
        )
        .toArray()
        .map(
          ({ env_id: environmentId, workflow_id: workflowId, kills: quarters, last_at: lastAt, reason }) => [
            keyOf(environmentId, workflowId),
            { environmentId, workflowId, quarters, lastAt, reason },
          ],
        ),
    );
    return this.#streaks;
  }
}

function killsOf(streak: Streak | undefined): number {
  return (streak?.quarters ?? 0) / QUARTERS;
}

function keyOf(environmentId: string, workflowId: string): string {
  return `${environmentId} ${workflowId}`;
}
