/** One page of event search results for the console. */

import type { EventCriteria, eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './reads.ts';

const PAGE_SIZE = 50;
/** A stream pauses a search that finds nothing. It is resumed this many times before an empty page is returned. */
const MAX_CONTINUATIONS = 5;
const EVENT_ID = /^evt_[0-9a-z]{26}u?$/;

export async function searchEvents(
  ctx: Pick<RequestContext, 'db' | 'env'>,
  scope: Scope,
  criteria: EventCriteria,
  limit = PAGE_SIZE,
): Promise<AnswerOf<typeof eventEndpoints.search>> {
  const stream = await openEventStream(ctx, scope);
  const { environment: environmentId = null, textSearch: text = null, ...others } = criteria;
  if (text !== null && EVENT_ID.test(text)) {
    const event = await stream.get(text);
    return { events: event === null ? [] : [event], nextQueryTimeTo: null };
  }
  let timeTo = criteria.timeTo ?? null;
  for (let continuation = 0; ; continuation++) {
    const page = await stream.search({ ...others, environmentId, text, timeTo, limit });
    if (page.events.length > 0 || page.nextQueryTimeTo === null || continuation === MAX_CONTINUATIONS) {
      return page;
    }
    timeTo = page.nextQueryTimeTo;
  }
}
