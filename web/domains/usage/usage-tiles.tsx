/** Tiles with the month's requests by type, which add up to what is used, and the remaining allowance. */
import { Box, Flex, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { EventType } from '#contracts/console/events';
import type { UsageItem } from '#contracts/console/usage';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Meter, MeterMark, meterLevel } from '#web/ui/meter.tsx';
import { DayChart } from './day-chart.tsx';
import { dailyTotals, daysInMonth, requestsRemaining, totalOf, USAGE_LABELS } from './sum-usage.ts';
import classes from './usage.module.css';

export interface UsageTilesProps {
  /** Undefined while loading. */
  readonly items: readonly UsageItem[] | undefined;
  /** Requests per month. Null means unlimited, undefined means still loading. */
  readonly limit: number | null | undefined;
  /** Whether the allowance failed to load. */
  readonly hasLimitFailed?: boolean;
  readonly now: number;
}

export function UsageTiles({ items, limit, hasLimitFailed = false, now }: UsageTilesProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const shared = { items, now, pointed, onPoint: setPointed };
  return (
    <div className={classes.tiles}>
      <TypeTile type="ac" {...shared} />
      <TypeTile type="cu" {...shared} />
      <TypeTile type="se" {...shared} />
      <RemainingTile items={items} limit={limit} hasLimitFailed={hasLimitFailed} now={now} />
    </div>
  );
}

interface TypeTileProps extends Pick<UsageTilesProps, 'items' | 'now'> {
  readonly type: EventType;
  readonly pointed: number | null;
  readonly onPoint: (day: number | null) => void;
}

function TypeTile({ type, items, now, pointed, onPoint }: TypeTileProps) {
  const days = items === undefined ? [] : dailyTotals(items, type, now);
  const day = pointed === null ? undefined : days[pointed];
  return (
    <section className={classes.tile} aria-label={`${USAGE_LABELS[type]} this month`}>
      <Flex gap={12} align="baseline" justify="space-between" mih={20}>
        <span className="truncate muted small">{USAGE_LABELS[type]}</span>
        {day && <Readout at={day.at} total={day.total} />}
      </Flex>
      <Figure value={items && totalOf(items, type)} unit="this month" />
      {items !== undefined && (
        <DayChart
          label={`${USAGE_LABELS[type]} by day`}
          days={days}
          length={daysInMonth(now)}
          highest={Math.max(...days.map(({ total }) => total))}
          height={36}
          pointed={pointed}
          onPoint={onPoint}
        />
      )}
    </section>
  );
}

function RemainingTile({ items, limit, hasLimitFailed, now }: UsageTilesProps) {
  const isKnown = items !== undefined && limit !== undefined;
  const remaining = isKnown ? requestsRemaining(items, limit) : undefined;
  const used = items === undefined ? 0 : totalOf(items);
  return (
    <section className={classes.tile} aria-label="Requests remaining">
      <Flex gap={12} align="baseline" justify="space-between" mih={20}>
        <span className="truncate muted small">Requests remaining</span>
        {isKnown && limit !== null && <MeterMark level={meterLevel(used, limit)} />}
      </Flex>
      {hasLimitFailed ? (
        <div className="muted tiny">Your plan’s allowance could not be loaded.</div>
      ) : remaining === null ? (
        <Box fw={600} fz="1.5rem" lh="32px" className="figures" style={{ letterSpacing: '-0.02em' }}>
          No limit
        </Box>
      ) : (
        <Figure value={remaining} unit={limit ? `of ${formatNumber(limit)}` : undefined} />
      )}
      {isKnown && (
        <Stack gap={8} mt="auto">
          {limit !== null && <Meter used={used} limit={limit} label="Monthly requests used" />}
          <span className="muted tiny">
            {formatNumber(used)} used, all kinds together. Resets on {formatUtcDay(nextMonthOf(now))}.
          </span>
        </Stack>
      )}
    </section>
  );
}

export function Readout({ at, total }: { at: number; total: number }) {
  return (
    <span className={classes.readout}>
      {formatUtcDay(at)} <strong>{formatNumber(total)}</strong>
    </span>
  );
}

function Figure({ value, unit }: { value: number | undefined; unit?: string | undefined }) {
  if (value === undefined) return <Skeleton height={28} width={96} my={2} />;
  return (
    <Box fw={600} fz="1.5rem" lh="32px" className="figures" style={{ letterSpacing: '-0.02em' }}>
      {formatNumber(value)}
      {unit && (
        <Text span c="dimmed" fz="sm" fw={400} lh="inherit" style={{ letterSpacing: 0 }}>
          {' '}
          {unit}
        </Text>
      )}
    </Box>
  );
}
