/** One page of event search results for the console. */

import type { EventCriteria, eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { continueSearch } from './continue-search.ts';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;
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
  return continueSearch(
    criteria.timeTo ?? null,
    async (timeTo) => stream.search({ ...others, environmentId, text, timeTo, limit }),
    ({ events }) => events.length > 0,
  );
}
