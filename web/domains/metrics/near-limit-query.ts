/** Query of the customers near a limit, for the dashboard. Not parsed as the Metrics tab's is: the first screen loads without zod. */
import { queryOptions } from '@tanstack/react-query';
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { call } from '#web/api/call.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';
import { loadCustomerNames } from '#web/session/customer-names.ts';

/** How often an open page reads them again. */
const WATCH_MS = 30_000;
/** Of the last seven days, in all environments. */
const CRITERIA = JSON.stringify({ range: '7d' });

export const nearLimitQuery = (orgId: string) =>
  queryOptions({
    queryKey: endpointKey(eventMetricsEndpoints.read, { orgId }, 'near-limit'),
    queryFn: async ({ client, signal }) => {
      const input = { params: { orgId }, query: { criteria: CRITERIA } };
      const { nearLimit } = await call(eventMetricsEndpoints.read, input, signal);
      await loadCustomerNames(client, orgId, nearLimit);
      return nearLimit;
    },
    refetchInterval: WATCH_MS,
  });
