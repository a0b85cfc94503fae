/** Queries of who changed what. */
import { type ActivityFilter, activityEndpoints } from '#contracts/console/activity';
import { pagesQuery } from '#web/api/endpoint-query.ts';

export const activityQuery = (orgId: string, filter: ActivityFilter) =>
  pagesQuery(activityEndpoints.list, { orgId }, filter);
