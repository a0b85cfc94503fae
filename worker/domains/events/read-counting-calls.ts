/** The recorded calls that counted or held usage of a customer on a feature, newest first: what its ledger is made of. */
import type { Event } from '#contracts/console/events';
import type { Scope, WorkContext } from '#worker/http/request-context';
import { continueSearch } from './continue-search.ts';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;

export interface CountingCalls {
  readonly events: readonly Pick<Event, 'time' | 'request' | 'response'>[];
  /** Null if nothing older is left. */
  readonly nextQueryTimeTo: number | null;
  /** About when the oldest event was recorded that is not archived; null if none is. */
  readonly eventsFrom: number | null;
}

/** @param timeTo exclusive: an instant, or `nextQueryTimeTo` of the page before; null: now */
export async function readCountingCalls(
  ctx: Pick<WorkContext, 'db' | 'env' | 'now'>,
  scope: Scope,
  search: {
    readonly environmentId: string;
    readonly subjects: readonly string[];
    readonly feature: string;
    readonly timeTo: number | null;
  },
): Promise<CountingCalls> {
  const stream = await openEventStream(ctx, scope);
  const range = { environment: search.environmentId, timeFrom: ctx.now - 1, timeTo: ctx.now };
  const [page, { eventsFrom }] = await Promise.all([
    continueSearch(
      search.timeTo,
      async (timeTo) => stream.search({ ...search, isCounted: true, timeTo, limit: PAGE_SIZE }),
      ({ events }) => events.length > 0,
    ),
    stream.histogram(range),
  ]);
  return { ...page, eventsFrom };
}
