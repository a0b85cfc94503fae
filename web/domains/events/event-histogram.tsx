/** Events over the range, stacked by outcome. Dragging over it, or a click on a bar, narrows the search to that time. */
import { Box, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useOrgId } from '#web/session/organisation.tsx';
import { type Bar, BarChart, joinBars } from '#web/ui/charts/bar-chart.tsx';
import { ChartAxis } from '#web/ui/charts/chart-axis.tsx';
import { ChartLegend } from '#web/ui/charts/chart-legend.tsx';
import { axisTicks, periodLabel, periodOfSlots, slotLabel } from '#web/ui/charts/time-labels.ts';
import { coveredLabel, useReadOut } from '#web/ui/charts/use-read-out.ts';
import { formatNumber } from '#web/ui/format.ts';
import { OUTCOME_SERIES, outcomeValues } from '#web/values/outcome-series.ts';
import { RANGES } from '#web/values/time-ranges.ts';
import { type EventSearch, type Period, periodOf } from './event-search.ts';
import classes from './events.module.css';
import { eventHistogramQuery } from './queries.ts';

export interface EventHistogramProps {
  readonly search: EventSearch;
  /** When the search was made. */
  readonly now: number;
  readonly onPeriod: (period: Period) => void;
}

const HEIGHT = 72;
const listOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function EventHistogram({ search, now, onPeriod }: EventHistogramProps) {
  const orgId = useOrgId();
  const period = periodOf(search, now);
  const { data, error, refetch, isPlaceholderData } = useQuery(eventHistogramQuery(orgId, search, period));
  const { covered, frame } = useReadOut();
  if (data === undefined) {
    return (
      <div key="loading" className={classes.histogram}>
        {error === null ? (
          <>
            <ChartLegend
              entries={OUTCOME_SERIES.map(({ label, colour }) => ({ label, colour, figure: '–' }))}
              covers={coversLabel(search)}
            />
            <Skeleton height={HEIGHT} />
            <ChartAxis count={1} ticks={[]} />
          </>
        ) : (
          <Box flex="1 1 auto" className="centre small muted" role="alert">
            <span>
              The chart could not be loaded.{' '}
              <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            </span>
          </Box>
        )}
      </div>
    );
  }
  const { bucketMs, buckets } = data;
  const rangeMs = period.to - period.from;
  const bars = buckets.map(
    (bucket): Bar => ({
      label: slotLabel(bucket.at, bucketMs, rangeMs),
      values: outcomeValues(bucket),
    }),
  );
  const { values } = joinBars(bars, covered);
  return (
    <div className={classes.histogram} data-stale={isPlaceholderData || undefined}>
      <ChartLegend
        entries={OUTCOME_SERIES.map(({ label, colour }, index) => ({
          label,
          colour,
          figure: formatNumber(values[index] ?? 0),
        }))}
        covers={coveredLabel(covered, data, {
          whole: coversLabel(search),
          slots: bars.map(({ label }) => label),
        })}
      />
      <BarChart
        label="Events over time"
        bars={bars}
        series={OUTCOME_SERIES}
        height={HEIGHT}
        {...frame}
        onChoose={(index) => onPeriod(periodOfSlots(data, index, index))}
        onRange={(first, last) => onPeriod(periodOfSlots(data, first, last))}
      />
      <ChartAxis count={buckets.length} ticks={axisTicks(data)} />
    </div>
  );
}

export function rangeLabel({ period, range }: EventSearch): string {
  return period === undefined ? RANGES[range].label : periodLabel(period.from, period.to);
}

/** 'in the last hour'; a fixed period by its times. */
export function periodPhrase(search: EventSearch): string {
  const label = rangeLabel(search);
  return search.period === undefined
    ? `in the ${label.toLowerCase()}`
    : `between ${label.replace(' – ', ' and ')}`;
}

/** Counts are kept by environment, type and outcome, so the chart is wider than a search by anything else. Holds count as updates. */
function coversLabel(search: EventSearch): string {
  const { q, subject: customer, plan, feature, drew, country } = search;
  const ignored = Object.entries({ text: q || undefined, customer, plan, feature, source: drew, country })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  const counted = search.type === 'cu' || search.type === 'hold' ? ', counter updates and holds' : '';
  const label = `${rangeLabel(search)}${counted}`;
  return ignored.length === 0 ? label : `${label}, not filtered by ${listOf.format(ignored)}`;
}
