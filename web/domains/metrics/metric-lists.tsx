/** What the range consists of: features, plans, places, warnings and customers. A row opens its events. */
import { Flex } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Environment } from '#contracts/console/environments';
import type { EventMetrics } from '#contracts/console/event-metrics';
import { MAX_SEARCH_TEXT } from '#contracts/console/events';
import { locationName } from '#engine/regions/data-locations';
import { type EventsAddress, paths } from '#web/paths.ts';
import { useCustomerNames } from '#web/session/customer-names.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { RankedBars, type RankedItem } from '#web/ui/charts/ranked-bars.tsx';
import { formatNumber } from '#web/ui/format.ts';
import { Section } from '#web/ui/page/section.tsx';
import { CAUSE_SERIES } from '#web/values/cause-series.ts';
import { countryName } from '#web/values/countries.ts';
import { shownIdentifier } from '#web/values/shown-identifier.ts';
import type { Range } from '#web/values/time-ranges.ts';
import { countedSince } from './counted-since.ts';
import classes from './metrics.module.css';
import { NearLimitBars } from './near-limit.tsx';

export interface MetricListsProps {
  readonly environment: string | undefined;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  readonly range: Range;
  readonly metrics: EventMetrics;
}

export function MetricLists({ environment, environments, range, metrics }: MetricListsProps) {
  const orgId = useOrgId();
  const events = (filter: EventsAddress) => paths.events(orgId, { environment, range, ...filter });
  const names = useCustomerNames(orgId, metrics.customers);
  const counted = (label: ReactNode, key: string, count: number, to?: string): RankedItem => ({
    key,
    label,
    parts: [{ value: count, colour: '--accent' }],
    ...(to !== undefined && { to }),
  });
  return (
    <div className={classes.lists}>
      <List
        title="Features"
        description={`Calls that name each, by reason. ${countedSince(metrics)}`}
        empty="No call named a feature."
        items={metrics.features.map(({ slug, allowed, denied, causes }) => ({
          key: slug,
          label: (
            <Flex component="span" direction="column">
              <code className="truncate">{slug}</code>
              <span className="muted tiny truncate">{causesLabel(causes)}</span>
            </Flex>
          ),
          parts: [
            { value: allowed, colour: '--chart-allowed', label: 'allowed' },
            ...CAUSE_SERIES.map(({ cause, colour }) => ({ value: causes[cause], colour })),
          ],
          figure:
            denied === 0
              ? formatNumber(allowed)
              : `${formatNumber(denied)} of ${formatNumber(allowed + denied)} denied`,
          to: events({ feature: slug }),
        }))}
      />
      <Section title="Customers near a limit" description="80% or more used when last read." isFlush>
        <NearLimitBars
          orgId={orgId}
          environment={environment}
          environments={environments}
          nearLimit={metrics.nearLimit}
        />
      </Section>
      <List
        title="Customers"
        description="By number of requests."
        empty="No customers were identified."
        items={metrics.customers.map(({ identifier, count }) =>
          counted(
            <bdi title={identifier}>{names.get(identifier) ?? shownIdentifier(identifier)}</bdi>,
            identifier,
            count,
            events({ subject: identifier }),
          ),
        )}
      />
      <List
        title="Countries"
        description="Where requests came from."
        empty="No countries were recorded."
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
      <List
        title="Plans"
        description="Calls by plan."
        empty="No plans applied."
        items={metrics.plans.map(({ slug, count }) =>
          counted(<code>{slug}</code>, slug, count, events({ plan: slug })),
        )}
      />
      <List
        title="Data regions"
        description="Regions that customer data was read from."
        empty="No regions yet."
        items={metrics.locations.map(({ location, count }) =>
          counted(
            locationName(location),
            location,
            count,
            events({ q: locationName(location).slice(0, MAX_SEARCH_TEXT) }),
          ),
        )}
      />
      <List
        title="Warnings"
        description="Calls with each warning."
        empty="No warnings."
        items={metrics.warnings.map(({ code, count }) => ({
          key: code,
          label: <code>{code}</code>,
          parts: [{ value: count, colour: '--chart-warning' }],
          to: events({ q: code.slice(0, MAX_SEARCH_TEXT) }),
        }))}
      />
    </div>
  );
}

/** '12 not in plan, 3 limit reached'; empty without denials. */
const causesLabel = (causes: EventMetrics['features'][number]['causes']): string =>
  CAUSE_SERIES.filter(({ cause }) => causes[cause] > 0)
    .map(({ cause, label }) => `${formatNumber(causes[cause])} ${label.toLowerCase()}`)
    .join(', ');

interface ListProps {
  readonly title: string;
  readonly description: string;
  readonly empty: string;
  readonly items: readonly RankedItem[];
}

function List({ title, description, empty, items }: ListProps) {
  return (
    <Section title={title} description={description} isFlush>
      <RankedBars label={title} empty={empty} items={items} />
    </Section>
  );
}
