/**
 * Counts how often in a row a workflow was killed in an environment, as this isolate sees it: a warm check must not query a
 * database. After five kills the workflow is switched off everywhere in that environment.
 */
import { BoundedCache } from '#engine/cache/bounded-cache';
import type { Env } from '#worker/env';
import { workContext } from '#worker/http/make-work-context';
import { log } from '#worker/platform/log';
import { type Disablement, disableWorkflow } from './disable-workflow.ts';

export const MAX_KILLS = 5;
const REMEMBERED = 10_000;

const kills = new BoundedCache<string, number>(REMEMBERED);

/** The workflow ended by itself. */
export function forgetKills(environmentId: string, workflowId: string): void {
  if (kills.size > 0) kills.delete(`${environmentId} ${workflowId}`);
}

/** The workflow was killed. */
export function countKill(env: Env, killed: Disablement): void {
  const key = `${killed.environmentId} ${killed.workflowId}`;
  const count = (kills.get(key) ?? 0) + 1;
  if (count < MAX_KILLS) {
    kills.set(key, count);
    return;
  }
  kills.delete(key);
  const { reason, ...ids } = killed;
  log.warn('a workflow is switched off', { ...ids, kills: count, reason });
  const ctx = workContext(env, Date.now);
  ctx.waitUntil(disableWorkflow(ctx, killed));
}
