/**
 * Counts how often in a row a workflow was killed in an environment, as this isolate sees it: a warm check must not query a
 * database. After five kills the workflow is switched off everywhere in that environment.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { log } from '#worker/platform/log';
import { type Disablement, disableWorkflow } from './disable-workflow.ts';

const MAX_KILLS = 5;
const REMEMBERED = 10_000;

interface Kills {
  readonly count: number;
  /** When the last one was noticed. */
  readonly lastAt: number;
}

const kills = new BoundedCache<string, Kills>(REMEMBERED);

/** The workflow ended by itself. */
export function forgetKills(environmentId: string, workflowId: string): void {
  if (kills.size > 0) kills.delete(`${environmentId} ${workflowId}`);
}

/**
 * The workflow was killed. Runs that were under way together count once: one crash ends them all.
 * @param startedAt of the run
 */
export function countKill(env: Env, killed: Disablement, startedAt: number): void {
  const key = `${killed.environmentId} ${killed.workflowId}`;
  const { count, lastAt } = kills.get(key) ?? { count: 0, lastAt: Number.NEGATIVE_INFINITY };
  if (startedAt < lastAt) return;
  if (count + 1 < MAX_KILLS) {
    kills.set(key, { count: count + 1, lastAt: Date.now() });
    return;
  }
  kills.delete(key);
  const { reason, ...ids } = killed;
  log.warn('a workflow is switched off', { ...ids, kills: count + 1, reason });
  const ctx = workContext(env, Date.now);
  ctx.waitUntil(disableWorkflow(ctx, killed));
}
