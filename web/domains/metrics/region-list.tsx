/** How fast each continent is served, and from where; with advice on regions. */
import { Anchor, Box, Flex } from '@mantine/core';
import { Link } from 'react-router';
import type { EventMetrics } from '#contracts/console/event-metrics';
import { LOCATIONS, type LocationFlags } from '#contracts/public/locations';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { RankedBars } from '#web/ui/charts/ranked-bars.tsx';
import { formatLatency } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { countedSince } from './counted-since.ts';
import { continentName, regionAdvice, servedFromLabel } from './region-advice.ts';

export interface RegionListProps {
  readonly metrics: EventMetrics;
  /** Those that are enabled. Undefined while loading: there is no advice yet. */
  readonly flags: LocationFlags | undefined;
}

export function RegionList({ metrics, flags }: RegionListProps) {
  const orgId = useOrgId();
  const advice =
    flags === undefined
      ? []
      : regionAdvice(
          metrics.routes,
          LOCATIONS.filter((each) => flags[each]),
        );
  return (
    <Section
      title="Latency by region"
      description={`Where calls come from and which data region served them. ${countedSince(metrics)}`}
      isFlush
    >
      {advice.length > 0 && (
        <Box px={20} pt={16} className="column gap-8">
          {advice.map(({ text, enable }) => (
            <Notice key={text} tone="neutral" isWide>
              {text}{' '}
              {enable !== null && (
                <Anchor component={Link} to={paths.settings(orgId)} inherit underline="always">
                  Data regions
                </Anchor>
              )}
            </Notice>
          ))}
        </Box>
      )}
      <RankedBars
        label="Latency by region"
        empty="No places were recorded."
        items={metrics.routes.map(({ continent, location, count, latency }) => ({
          key: `${continent} ${location}`,
          label: (
            <Flex component="span" direction="column">
              <span className="truncate">
                {continentName(continent)} <span className="muted">from {servedFromLabel(location)}</span>
              </span>
              <span className="muted tiny figures">{latencyLabel(latency)}</span>
            </Flex>
          ),
          parts: [{ value: count, colour: '--accent' }],
        }))}
      />
    </Section>
  );
}

const latencyLabel = (latency: EventMetrics['latency']) =>
  latency === null
    ? 'Not measured'
    : `p50 ${formatLatency(latency.p50)}, p95 ${formatLatency(latency.p95)}, p99 ${formatLatency(latency.p99)}`;
