/** Query of an organisation's usage. */
import { queryOptions } from '@tanstack/react-query';
import { usageEndpoints } from '#contracts/console/usage';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Daily totals of the current calendar month. */
export const usageQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.usage(orgId, 'day'),
    queryFn: ({ signal }) => call(usageEndpoints.periods, { params: { orgId, periodType: 'day' } }, signal),
  });
