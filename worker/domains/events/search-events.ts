/** One page of event search results for the console. */

import type { EventCriteria, eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;
/** A stream pauses a search that finds nothing. It is resumed this many times before an empty page is returned. */
const MAX_CONTINUATIONS = 5;
/** The id of an event or of its request: they differ in the prefix, and in a final `u` (domains/access/record-call.ts). */
const CALL_ID = /^(?:evt|req)_([0-9a-z]{26})$/;

export async function searchEvents(
  ctx: Pick<RequestContext, 'db' | 'env'>,
  scope: Scope,
  criteria: EventCriteria,
  limit = PAGE_SIZE,
): Promise<AnswerOf<typeof eventEndpoints.search>> {
  const stream = await openEventStream(ctx, scope);
  const { environment: environmentId = null, textSearch: text = null, ...others } = criteria;
  const [, callId] = CALL_ID.exec(text ?? '') ?? [];
  if (callId !== undefined) {
    const event = (await stream.get(`evt_${callId}`)) ?? (await stream.get(`evt_${callId}u`));
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
