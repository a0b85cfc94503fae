/** The Metrics tab: one environment or all, over one range. The URL has both. */
import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment } from '#contracts/console/environments';
import type { LocationFlags } from '#contracts/public/locations';
import { useOrgId } from '#web/session/organisation.tsx';
import { FilterChip } from '#web/ui/lists/filter-chip.tsx';
import { useAddressParams } from '#web/ui/page/use-address-params.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { CallDocsLink } from '#web/values/call-example.tsx';
import { DEFAULT_RANGE, isRange, RANGES, type Range } from '#web/values/time-ranges.ts';
import { CreditFigures } from './credit-figures.tsx';
import { DenialChart } from './denial-chart.tsx';
import { LatencyChart } from './latency-chart.tsx';
import { MetricLists } from './metric-lists.tsx';
import { MetricTiles } from './metric-tiles.tsx';
import classes from './metrics.module.css';
import { eventMetricsQuery } from './queries.ts';
import { RegionList } from './region-list.tsx';
import { RequestCharts } from './request-charts.tsx';

export interface MetricsTabProps {
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  /** The data regions. Undefined while loading. */
  readonly regions: LocationFlags | undefined;
}

const RANGE_LABELS = { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;

export function MetricsTab({ environments, regions }: MetricsTabProps) {
  const orgId = useOrgId();
  const [params, changeParams] = useAddressParams();
  const environment = params.get('environment') ?? undefined;
  const inAddress = params.get('range');
  const range: Range = inAddress !== null && isRange(inAddress) ? inAddress : DEFAULT_RANGE;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    eventMetricsQuery(orgId, { environment, range }),
  );
  const change = (name: 'environment' | 'range', value: string | undefined) =>
    changeParams({ [name]: value ?? null });
  return (
    <>
      <Group gap={8} justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Range"
          value={range}
          onChange={(value) => change('range', value)}
          data={(Object.keys(RANGES) as Range[]).map((value) => ({ value, label: RANGE_LABELS[value] }))}
        />
        <FilterChip
          label="Environment"
          options={(environments ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={environment}
          valueLabel={environments === undefined ? '…' : 'Unknown environment'}
          onChange={(value) => change('environment', value)}
        />
      </Group>
      {data === undefined ? (
        error === null ? (
          <MetricsSkeleton />
        ) : (
          <ErrorState title="The metrics could not be loaded" error={error} onRetry={refetch} />
        )
      ) : data.totals.total === 0 ? (
        <EmptyState
          title="No events"
          action={
            range !== '30d' && (
              <Button variant="default" onClick={() => change('range', '30d')}>
                Show the {RANGES['30d'].label.toLowerCase()}
              </Button>
            )
          }
          docs={<CallDocsLink />}
        >
          No requests in the {RANGES[range].label.toLowerCase()}. Once your application calls the API, its
          requests, latency and denials appear here.
        </EmptyState>
      ) : (
        <div
          className={classes.page}
          data-stale={isPlaceholderData || undefined}
          aria-busy={isPlaceholderData}
        >
          <MetricTiles metrics={data} />
          <RequestCharts environment={environment} metrics={data} />
          <DenialChart environment={environment} metrics={data} />
          <LatencyChart environment={environment} metrics={data} />
          <RegionList metrics={data} flags={regions} />
          <CreditFigures environment={environment} range={range} />
          <MetricLists environment={environment} environments={environments} range={range} metrics={data} />
        </div>
      )}
    </>
  );
}

function MetricsSkeleton() {
  return (
    <div className={classes.page} role="status" aria-label="Loading">
      <div className={classes.tiles}>
        {['one', 'two', 'three', 'four'].map((tile) => (
          <Skeleton key={tile} height={88} radius={8} />
        ))}
      </div>
      <Skeleton height={250} radius={8} />
      <Skeleton height={250} radius={8} />
    </div>
  );
}
