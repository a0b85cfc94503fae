/** One page of an organisation's events for the console. */
import type { AnswerOf } from '#contracts/endpoint';
import type { EventCriteria, eventEndpoints } from '#contracts/events';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;
/** A stream pauses a search that finds nothing for long; it is asked to go on so often before the page is answered empty. */
const MAX_CONTINUATIONS = 5;

export async function searchEvents(
  ctx: RequestContext,
  scope: Scope,
  criteria: EventCriteria,
): Promise<AnswerOf<typeof eventEndpoints.search>> {
  const stream = await openEventStream(ctx, scope);
  let timeTo = criteria.timeTo ?? null;
  for (let continuation = 0; ; continuation++) {
    const page = await stream.search({
      environmentId: criteria.environment ?? null,
      text: criteria.textSearch ?? null,
      timeTo,
      limit: PAGE_SIZE,
    });
    if (page.events.length > 0 || page.nextQueryTimeTo === null || continuation === MAX_CONTINUATIONS) {
      return page;
    }
    timeTo = page.nextQueryTimeTo;
  }
}
