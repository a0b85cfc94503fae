/** Query of an organisation's usage. */
import { usageEndpoints } from '#contracts/console/usage';
import { endpointQuery } from '#web/api/endpoint-query.ts';

/** Daily totals of the current calendar month. */
export const usageQuery = (orgId: string) =>
  endpointQuery(usageEndpoints.periods, { orgId, periodType: 'day' });
