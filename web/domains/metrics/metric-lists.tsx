/** What the range consists of: features, plans, places, warnings and customers. A row opens its events. */
import type { ReactNode } from 'react';
import type { EventMetrics } from '#contracts/console/event-metrics';
import { MAX_SEARCH_TEXT } from '#contracts/console/events';
import { locationName } from '#engine/regions/data-locations';
import { type EventsAddress, paths } from '#web/paths.ts';
import { RankedBars, type RankedItem } from '#web/ui/charts/ranked-bars.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Section } from '#web/ui/section.tsx';
import { countryName } from '#web/values/countries.ts';
import type { Range } from '#web/values/time-ranges.ts';
import classes from './metrics.module.css';
import { NearLimitBars } from './near-limit.tsx';

export interface MetricListsProps {
  readonly orgId: string;
  readonly environment: string | undefined;
  readonly range: Range;
  readonly metrics: EventMetrics;
}

export function MetricLists({ orgId, environment, range, metrics }: MetricListsProps) {
  const events = (filter: EventsAddress) => paths.events(orgId, { environment, range, ...filter });
  const counted = (label: ReactNode, key: string, count: number, to?: string): RankedItem => ({
    ...{ key, label, parts: [{ value: count, colour: '--accent' }] },
    ...(to !== undefined && { to }),
  });
  return (
    <div className={classes.lists}>
      <List title="Features" description="How often checks allowed and denied each.">
        <RankedBars
          label="Features"
          empty="No check named a feature."
          items={metrics.features.map(({ slug, allowed, denied }) => ({
            key: slug,
            label: <code>{slug}</code>,
            parts: [
              { value: allowed, colour: '--chart-allowed', label: 'allowed' },
              { value: denied, colour: '--chart-denied', label: 'denied' },
            ],
            figure:
              denied === 0
                ? formatNumber(allowed)
                : `${formatNumber(denied)} of ${formatNumber(allowed + denied)} denied`,
            to: events({ feature: slug }),
          }))}
        />
      </List>
      <List title="Customers near a limit" description="At least 80 % used at their last reading.">
        <NearLimitBars orgId={orgId} environment={environment} nearLimit={metrics.nearLimit} />
      </List>
      <List title="Customers" description="With the most requests.">
        <RankedBars
          label="Customers"
          empty="No customer was identified."
          items={metrics.customers.map(({ identifier, count }) =>
            counted(
              <bdi>{identifier}</bdi>,
              identifier,
              count,
              events({ q: identifier.slice(0, MAX_SEARCH_TEXT) }),
            ),
          )}
        />
      </List>
      <List title="Plans" description="In how many answers each applied.">
        <RankedBars
          label="Plans"
          empty="No plan applied."
          items={metrics.plans.map(({ slug, count }) =>
            counted(<code>{slug}</code>, slug, count, events({ plan: slug })),
          )}
        />
      </List>
      <List title="Countries" description="Where requests came from.">
        <RankedBars
          label="Countries"
          empty="No place is known."
          items={metrics.countries.map(({ code, count }) =>
            counted(
              <>
                <code className="muted tiny">{code}</code> {countryName(code)}
              </>,
              code,
              count,
              events({ country: code }),
            ),
          )}
        />
      </List>
      <List title="Data locations" description="Where answers were read from.">
        <RankedBars
          label="Data locations"
          empty="No location was read."
          items={metrics.locations.map(({ location, count }) =>
            counted(locationName(location), location, count),
          )}
        />
      </List>
      <List title="Warnings" description="By kind.">
        <RankedBars
          label="Warnings"
          empty="No answer had a warning."
          items={metrics.warnings.map(({ code, count }) => ({
            key: code,
            label: <code>{code}</code>,
            parts: [{ value: count, colour: '--chart-warning' }],
            to: events({ q: code.slice(0, MAX_SEARCH_TEXT) }),
          }))}
        />
      </List>
    </div>
  );
}

function List({ title, description, children }: { title: string; description: string; children: ReactNode }) {
  return (
    <Section title={title} description={description} isFlush>
      {children}
    </Section>
  );
}
