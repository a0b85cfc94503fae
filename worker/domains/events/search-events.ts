/** One page of event search results for the console. */

import type { EventCriteria, eventEndpoints } from '#contracts/console/events';
import type { AnswerOf } from '#contracts/public/endpoint';
import { readStoredIdentifier } from '#contracts/public/identifiers';
import { findNamesOfCustomer } from '#worker/domains/customer-facts/customer-names';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { continueSearch } from './continue-search.ts';
import { openEventStream } from './open-event-stream.ts';

const PAGE_SIZE = 50;
/** The id of an event or of its request: they differ in the prefix, and in a final `u` (domains/access/record-call.ts). */
const CALL_ID = /^(?:evt|req)_([0-9a-z]{26})$/;

type Context = Pick<RequestContext, 'db' | 'env'>;

export interface NamedCriteria extends EventCriteria {
  /** Every name of the customer that `subject` names: events were recorded under the name that was its own then. */
  readonly subjects?: readonly string[];
}

/** The criteria of all pages of one search. */
export async function nameSubjects(
  { db }: Pick<Context, 'db'>,
  { orgId }: Scope,
  criteria: EventCriteria,
): Promise<NamedCriteria> {
  const { subject, environment = null } = criteria;
  if (!subject) return criteria;
  const canonical = readStoredIdentifier(subject) ?? subject;
  const names = await findNamesOfCustomer(db, orgId, canonical, environment);
  return { ...criteria, subjects: [subject, ...names] };
}

export async function searchEvents(
  ctx: Context,
  scope: Scope,
  criteria: NamedCriteria,
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
