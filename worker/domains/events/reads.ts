/** What other domains read of an organisation's event stream. Each is one call, and throws if the stream cannot be reached. */
import type { UsageItem } from '#contracts/console/usage';
import type { RecordedCheck } from '#contracts/internal/recorded-check';
import { isUnknownMethod } from '#objects/stubs';
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

/** All API calls ever counted, and how many of them were billed as far as the stream or the caller knows. */
export async function readCallsToBill(
  ctx: Context,
  scope: Scope,
  billedCalls: number,
): Promise<{ readonly total: number; readonly billed: number }> {
  const stream = await openEventStream(ctx, scope);
  try {
    return await stream.callsToBill(billedCalls);
  } catch (error) {
    if (!isUnknownMethod(error)) throw error;
    return { total: await stream.callsEver(), billed: billedCalls };
  }
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

/** Pages of the stream that one reading takes: a rare workflow's checks may lie far apart. */
const MAX_PAGES = 30;
const CHECKS_AT_ONCE = 100;

/** The environment's last access checks that ran one of the workflows, newest first. @param until epoch milliseconds: reads no further page */
export async function readRecordedChecks(
  ctx: Context & Pick<WorkContext, 'clock'>,
  scope: Scope,
  search: { readonly environmentId: string; readonly workflowIds: readonly string[] },
  most: number,
  until: number,
): Promise<RecordedCheck[]> {
  const stream = await openEventStream(ctx, scope);
  const found: RecordedCheck[] = [];
  let timeTo: number | null = null;
  for (let page = 0; page < MAX_PAGES && found.length < most && ctx.clock() < until; page++) {
    const { checks, nextQueryTimeTo } = await stream.recordedChecks({
      ...search,
      timeTo,
      limit: Math.min(CHECKS_AT_ONCE, most - found.length),
    });
    found.push(...checks);
    if (nextQueryTimeTo === null) break;
    timeTo = nextQueryTimeTo;
  }
  return found;
}
