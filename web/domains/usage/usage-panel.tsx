/**
 * The month's usage as one small chart per environment, all on one scale. Hovering a day highlights it in all charts. A
 * toggle shows the same numbers as a table.
 */
import { Box, Button, Flex, SegmentedControl, Skeleton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Environment } from '#contracts/console/environments';
import { type EventType, NO_ENVIRONMENT } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import { formatMonth, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Section } from '#web/ui/section.tsx';
import { DayChart } from './day-chart.tsx';
import {
  daysInMonth,
  type EnvironmentUsage,
  typesIn,
  USAGE_LABELS,
  usageByEnvironment,
} from './sum-usage.ts';
import classes from './usage.module.css';
import { Readout } from './usage-tiles.tsx';

export interface UsagePanelProps {
  /** Undefined while loading. */
  readonly items: readonly UsageItem[] | undefined;
  /** Undefined while loading. */
  readonly environments: readonly Environment[] | undefined;
  readonly now: number;
}

/** Loaded on demand, because the dashboard is the first screen. */
const UsageTable = lazy(async () => ({ default: (await import('./usage-table.tsx')).UsageTable }));

const CHART_HEIGHT = 72;

/** Number of environments shown before 'Show all'. */
const SHOWN_CHARTS = 6;
const NAMED_IDLE = 8;

const descriptionFor = (now: number) => `${formatMonth(now)}, day by day in UTC. All charts share one scale.`;

export function UsagePanel({ items, environments, now }: UsagePanelProps) {
  const [chosen, setChosen] = useState<EventType>('ac');
  const [isTable, setIsTable] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  if (items === undefined || environments === undefined) return <UsagePanelSkeleton />;
  const types = typesIn(items);
  const type = types.includes(chosen) ? chosen : 'ac';
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  names.set(NO_ENVIRONMENT, 'All environments');
  const nameOf = (id: string) => names.get(id) ?? 'Deleted environment';
  const usage = usageByEnvironment(items, type, now);
  // Third-party events belong to the organisation and not to an environment.
  const idle =
    type === 'se'
      ? []
      : environments.filter(({ id }) => !usage.some(({ environmentId }) => environmentId === id));
  return (
    <Section
      title="Usage by environment"
      description={descriptionFor(now)}
      isFlush={isTable}
      actions={
        <>
          {types.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="What is counted"
              value={type}
              onChange={setChosen}
              data={types.map((value) => ({ value, label: USAGE_LABELS[value] }))}
            />
          )}
          <Button
            className={classes.control}
            variant="default"
            size="xs"
            leftSection={
              isTable ? <IconChartBar size={15} aria-hidden /> : <IconTable size={15} aria-hidden />
            }
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? 'Show charts' : 'Show table'}
          </Button>
        </>
      }
    >
      {isTable ? (
        <Suspense fallback={<Skeleton height={240} m={20} />}>
          <UsageTable label={USAGE_LABELS[type]} usage={usage} nameOf={nameOf} />
        </Suspense>
      ) : (
        <>
          <Charts
            label={USAGE_LABELS[type]}
            usage={isUnfolded ? usage : usage.slice(0, SHOWN_CHARTS)}
            highest={Math.max(...usage.flatMap(({ days }) => days.map(({ total }) => total)))}
            nameOf={nameOf}
            now={now}
          />
          {usage.length > SHOWN_CHARTS && (
            <Button
              className={classes.control}
              mt={16}
              variant="default"
              size="xs"
              aria-expanded={isUnfolded}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              {isUnfolded ? 'Show fewer' : `Show all ${usage.length} environments`}
            </Button>
          )}
          {idle.length > 0 && (
            <Box component="p" c="dimmed" fz="sm" mt={20} mb={0}>
              No {USAGE_LABELS[type]} this month: {idleLabel(idle.map(({ name }) => name))}.
            </Box>
          )}
        </>
      )}
    </Section>
  );
}

/** 'Staging, Test and 12 more'. Names all of them if only one would be left over. */
function idleLabel(names: readonly string[]): string {
  if (names.length <= NAMED_IDLE + 1) return names.join(', ');
  return `${names.slice(0, NAMED_IDLE).join(', ')} and ${names.length - NAMED_IDLE} more`;
}

interface ChartsProps {
  readonly label: string;
  readonly usage: readonly EnvironmentUsage[];
  /** Of any day and environment. */
  readonly highest: number;
  readonly nameOf: (environmentId: string) => string;
  readonly now: number;
}

function Charts({ label, usage, highest, nameOf, now }: ChartsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const length = daysInMonth(now);
  return (
    <Box
      display="grid"
      style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))', gap: '28px 36px' }}
    >
      {usage.map(({ environmentId, total, days }) => {
        const day = pointed === null ? undefined : days[pointed];
        return (
          <figure key={environmentId} className="shrink flush">
            <Flex component="figcaption" gap={12} align="baseline" justify="space-between" mb={18}>
              <span className="truncate medium">{nameOf(environmentId)}</span>
              {day ? (
                <Readout at={day.at} total={day.total} />
              ) : (
                <span className="rigid bold figures" title={label}>
                  {formatNumber(total)}
                </span>
              )}
            </Flex>
            <DayChart
              label={`${label} of ${nameOf(environmentId)} by day`}
              days={days}
              length={length}
              highest={highest}
              height={CHART_HEIGHT}
              pointed={pointed}
              onPoint={setPointed}
              hasPeakLabel
            />
            <Axis days={days} length={length} now={now} />
          </figure>
        );
      })}
    </Box>
  );
}

/** The first and last day of the month, and today between them if there is room. */
function Axis({ days, length, now }: { days: EnvironmentUsage['days']; length: number; now: number }) {
  const first = days[0]?.at ?? now;
  const today = days.length;
  return (
    <Flex
      justify="space-between"
      c="var(--text-faint)"
      pos="relative"
      mt={4}
      fz="0.6875rem"
      aria-hidden="true"
    >
      <span>{formatUtcDay(first)}</span>
      {today > 6 && today < length - 5 && (
        <span className={classes.today} style={{ left: `${((today - 0.5) / length) * 100}%` }}>
          today
        </span>
      )}
      <span>{today === length ? 'today' : length}</span>
    </Flex>
  );
}

function UsagePanelSkeleton() {
  return (
    <Section title="Usage by environment" description={descriptionFor(Date.now())}>
      <Box
        display="grid"
        style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))', gap: '28px 36px' }}
      >
        <Skeleton height={CHART_HEIGHT + 56} />
        <Skeleton height={CHART_HEIGHT + 56} />
        <Skeleton height={CHART_HEIGHT + 56} />
      </Box>
    </Section>
  );
}
