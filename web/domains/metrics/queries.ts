/** Query of an organisation's metrics. */
import { queryOptions } from '@tanstack/react-query';
import { eventMetricsEndpoints } from '#contracts/console/event-metrics';
import { call } from '#web/api/call.ts';
import { endpointKey } from '#web/api/endpoint-query.ts';
import { keepFound } from '#web/api/keep-found.ts';
import { loadCustomerNames } from '#web/session/customer-names.ts';
import type { Range } from '#web/values/time-ranges.ts';
import { completeMetrics } from './complete-metrics.ts';

/** How often an open page reads the figures again. */
const WATCH_MS = 30_000;

export interface MetricsCriteria {
  /** Undefined: all. */
  readonly environment: string | undefined;
  readonly range: Range;
}

export const eventMetricsQuery = (orgId: string, criteria: MetricsCriteria) =>
  queryOptions({
    queryKey: endpointKey(eventMetricsEndpoints.read, { orgId }, criteria),
    queryFn: async ({ client, signal }) => {
      const metrics = completeMetrics(
        await call(
          eventMetricsEndpoints.read,
          { params: { orgId }, query: { criteria: JSON.stringify(criteria) } },
          signal,
        ),
      );
      const named = [...metrics.nearLimit, ...metrics.customers];
      await loadCustomerNames(client, orgId, named);
      return metrics;
    },
    placeholderData: (previous) => keepFound(previous, ({ totals }) => totals.total === 0),
    refetchInterval: WATCH_MS,
  });
