/** One page of event search results for the console. */

import type { EventCriteria, eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './reads.ts';

const PAGE_SIZE = 50;
/** A stream pauses a search that finds nothing. It is resumed this many times before an empty page is returned. */
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
