/** Tiles with the month's requests by type, which add up to what is used, and the remaining allowance. */
import { Box, Flex, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UsageItem } from '#contracts/console/usage';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Meter, MeterMark, meterLevel } from '#web/ui/meter.tsx';
import { requestsRemaining, totalOf, USAGE_LABELS } from './sum-usage.ts';
import classes from './usage.module.css';
import { KIND_COLOURS, USAGE_KINDS } from './usage-series.ts';

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
  return (
    <div className={classes.tiles}>
      {USAGE_KINDS.map((type) => (
        <section key={type} className={classes.tile} aria-label={`${USAGE_LABELS[type]} this month`}>
          <Group component="span" gap={8} mih={20} wrap="nowrap" className="muted small">
            <Box component="span" w={8} h={8} bdrs={2} bg={`var(${KIND_COLOURS[type]})`} className="rigid" />
            <span className="truncate">{USAGE_LABELS[type]}</span>
          </Group>
          <Figure value={items && totalOf(items, type)} unit="this month" />
        </section>
      ))}
      <RemainingTile items={items} limit={limit} hasLimitFailed={hasLimitFailed} now={now} />
    </div>
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
        <div className="large-figure">No monthly limit</div>
      ) : (
        <Figure value={remaining} unit={limit ? `of ${formatNumber(limit)}` : undefined} />
      )}
      <Stack gap={8} mt="auto">
        {isKnown ? (
          <>
            {limit !== null && <Meter used={used} limit={limit} label="Monthly API calls used" />}
            <span className="muted tiny">
              {formatNumber(used)} used. Resets on {formatUtcDay(nextMonthOf(now))}.
            </span>
          </>
        ) : (
          !hasLimitFailed && (
            <>
              <Skeleton height={6} />
              <Skeleton height={12} my={2} width="80%" />
            </>
          )
        )}
      </Stack>
    </section>
  );
}

function Figure({ value, unit }: { value: number | undefined; unit?: string | undefined }) {
  if (value === undefined) return <Skeleton height={28} width={96} my={2} />;
  return (
    <div className="large-figure">
      {formatNumber(value)}
      {unit && (
        <Text span c="dimmed" fz="sm" fw={400} lh="inherit" style={{ letterSpacing: 0 }}>
          {' '}
          {unit}
        </Text>
      )}
    </div>
  );
}
