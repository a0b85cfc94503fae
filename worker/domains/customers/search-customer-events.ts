/** A customer's recent events, by each of its names. */

import type { customerEndpoints } from '#contracts/console/customers';
import type { AnswerOf } from '#contracts/public/endpoint';
import { nameSubjects, searchEvents } from '#worker/domains/events/search-events';
import type { RequestContext, Scope } from '#worker/http/request-context';

const SHOWN = 20;

/** @param identifier canonical */
export async function searchCustomerEvents(
  ctx: RequestContext,
  scope: Scope,
  identifier: string,
  environmentId: string | undefined,
): Promise<AnswerOf<typeof customerEndpoints.searchEvents>> {
  const criteria = await nameSubjects(ctx, scope, { environment: environmentId, subject: identifier });
  const { events } = await searchEvents(ctx, scope, criteria, SHOWN);
  return { events: events.slice(0, SHOWN) };
}
