/** A customer's recent events. The stream is searched by text, so events that only resemble the identifier are filtered out. */

import type { customerEndpoints } from '#contracts/console/customers';
import { type Event, MAX_SEARCH_TEXT } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import { searchEvents } from '#worker/domains/events/search-events';
import type { RequestContext, Scope } from '#worker/http/request-context';

const SHOWN = 20;
const MAX_PAGES = 5;

/** @param identifier canonical */
export async function searchCustomerEvents(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string | undefined,
): Promise<AnswerOf<typeof customerEndpoints.searchEvents>> {
  const textSearch = identifier.slice(0, MAX_SEARCH_TEXT);
  const events: AnswerOf<typeof customerEndpoints.searchEvents>['events'] = [];
  let timeTo: number | null = null;
  for (let page = 0; page < MAX_PAGES && events.length < SHOWN; page++) {
    const found = await searchEvents(ctx, scope, { environment: environmentId, textSearch, timeTo });
    events.push(...found.events.filter((event) => isOf(event, identifier)));
    timeTo = found.nextQueryTimeTo;
    if (timeTo === null) break;
  }
  return { events: events.slice(0, SHOWN) };
}

/** Includes events of the Stripe customer that the identifier is an alias of. */
function isOf({ subjectIdentifier, secondarySubjectIdentifiers }: Event, identifier: string): boolean {
  return subjectIdentifier === identifier || secondarySubjectIdentifiers.includes(identifier);
}
