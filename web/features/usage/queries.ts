/** What is read of an organisation's usage. */
import { queryOptions } from '@tanstack/react-query';
import { usageEndpoints } from '#contracts/usage';
import { call } from '../../api/call.ts';

/** The current calendar month, day by day. */
export const usageQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'usage', 'day'],
    queryFn: ({ signal }) => call(usageEndpoints.periods, { params: { orgId, periodType: 'day' } }, signal),
  });
