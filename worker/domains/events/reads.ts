/** What other domains read of an organisation's event stream. Each is one call, and throws if the stream cannot be reached. */
import type { UsageItem } from '#contracts/console/usage';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

type Context = Pick<WorkContext, 'db' | 'env'>;

/** Events per day, key and type. `hasUsage`: there were API calls, if only earlier. */
export async function readUsage(
  ctx: Context,
  scope: Scope,
  fromAt: number,
  toAt: number,
): Promise<{ readonly items: UsageItem[]; readonly hasUsage: boolean }> {
  const stream = await openEventStream(ctx, scope);
  const items = await stream.usage(fromAt, toAt);
  // The earlier months are asked for only if this one has nothing.
  return { items, hasUsage: items.length > 0 || (await stream.callsEver()) > 0 };
}

export async function countCallsOfMonth(ctx: Context, scope: Scope, monthAt: number): Promise<number> {
  return (await openEventStream(ctx, scope)).callsOfMonth(monthAt);
}

export async function countCallsEver(ctx: Context, scope: Scope): Promise<number> {
  return (await openEventStream(ctx, scope)).callsEver();
}

export async function readKeyUses(ctx: Context, scope: Scope, environmentId: string) {
  return (await openEventStream(ctx, scope)).keyUses(environmentId);
}

export async function isKilledRepeatedly(
  ctx: Context,
  scope: Scope,
  environmentId: string,
  workflowId: string,
): Promise<boolean> {
  return (await openEventStream(ctx, scope)).isKilledRepeatedly(environmentId, workflowId);
}
