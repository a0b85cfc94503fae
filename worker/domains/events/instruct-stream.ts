/** What other domains tell an organisation's event stream. Each is one call, and throws if the stream cannot be reached. */
import type { CountedDay } from '#contracts/internal/counted-day';
import { WATCH_HEADER, type Watch } from '#contracts/internal/watch';
import type { ShareLevel, UsageLevel } from '#engine/usage/usage-level';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

type Context = Pick<WorkContext, 'db' | 'env'>;

export async function setRetention(ctx: Context, scope: Scope, days: number): Promise<void> {
  await (await openEventStream(ctx, scope)).setRetention(days);
}

/** Deletes all events of the organisation that are not archived. */
export async function eraseEvents(ctx: Context, scope: Scope): Promise<void> {
  await (await openEventStream(ctx, scope)).erase();
}

/** The stream no longer repeats that the level was passed. */
export async function acknowledgeLevel(
  ctx: Context,
  scope: Scope,
  monthAt: number,
  level: UsageLevel | ShareLevel,
): Promise<void> {
  await (await openEventStream(ctx, scope)).acknowledgeLevel(monthAt, level);
}

/** How many API calls without an event each day had so far. What was counted before counts once. */
export async function countChanges(ctx: Context, scope: Scope, days: readonly CountedDay[]): Promise<void> {
  const totals = days.map(({ dayAt, environmentId, total }): CountedDay => ({ dayAt, environmentId, total }));
  await (await openEventStream(ctx, scope)).countChanges(scope.orgId, totals);
}

/** The workflow's kills are counted from zero. */
export async function forgetKills(
  ctx: Context,
  scope: Scope,
  environmentId: string,
  workflowId: string,
): Promise<void> {
  await (await openEventStream(ctx, scope)).forgetKills(environmentId, workflowId);
}

/** @returns the response that upgrades to a WebSocket */
export async function openWatch(ctx: Context, scope: Scope, watch: Watch): Promise<Response> {
  const stream = await openEventStream(ctx, scope);
  return stream.fetch('https://event-stream/watch', {
    headers: { upgrade: 'websocket', [WATCH_HEADER]: JSON.stringify(watch) },
  });
}

export async function closeWatches(ctx: Context, scope: Scope, ids: readonly string[]): Promise<void> {
  await (await openEventStream(ctx, scope)).closeWatches(ids);
}
