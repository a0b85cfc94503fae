/** Queries of who changed what. */
import { type ActivityFilter, activityEndpoints } from '#contracts/console/activity';
import { call } from '#web/api/call.ts';
import { callQuery, pagesQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export const activityQuery = (orgId: string, filter: ActivityFilter) =>
  pagesQuery(queryKeys.activity(orgId, filter), (cursor, signal) =>
    call(activityEndpoints.list, { params: { orgId }, query: { ...filter, ...cursor } }, signal),
  );

export const lastFeatureChangesQuery = (orgId: string) =>
  callQuery(queryKeys.lastFeatureChanges(orgId), activityEndpoints.lastFeatureChanges, { params: { orgId } });
