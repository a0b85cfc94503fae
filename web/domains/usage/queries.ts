/** Query of an organisation's usage. */
import { usageEndpoints } from '#contracts/console/usage';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Daily totals of the current calendar month. */
export const usageQuery = (orgId: string) =>
  callQuery(queryKeys.usage(orgId, 'day'), usageEndpoints.periods, { params: { orgId, periodType: 'day' } });
