/** One line with the month's requests by type, which add up to what is used, and the remaining allowance. */
import { Box, Group, Skeleton } from '@mantine/core';
import type { UsageItem } from '#contracts/console/usage';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Meter, MeterMark, meterLevel } from '#web/ui/labels/meter.tsx';
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
    <div className={classes.line}>
      {USAGE_KINDS.map((type) => (
        <section key={type} className={classes.cell} aria-label={`${USAGE_LABELS[type]} this month`}>
          <Group component="span" gap={8} wrap="nowrap" className="muted tiny">
            <Box component="span" w={8} h={8} bdrs={2} bg={`var(${KIND_COLOURS[type]})`} className="rigid" />
            <span className="truncate">{USAGE_LABELS[type]}</span>
          </Group>
          <Figure value={items && totalOf(items, type)} unit="this month" />
        </section>
      ))}
      <Remaining items={items} limit={limit} hasLimitFailed={hasLimitFailed} now={now} />
    </div>
  );
}

function Remaining({ items, limit, hasLimitFailed, now }: UsageTilesProps) {
  const isKnown = items !== undefined && limit !== undefined;
  const remaining = isKnown ? requestsRemaining(items, limit) : undefined;
  const used = items === undefined ? 0 : totalOf(items);
  return (
    <section className={classes.cell} aria-label="Requests remaining">
      <Group component="span" gap={8} wrap="nowrap" className="muted tiny">
        <span className="truncate">Requests remaining</span>
        {isKnown && limit !== null && <MeterMark level={meterLevel(used, limit)} />}
      </Group>
      {hasLimitFailed ? (
        <span className="muted tiny">Your plan’s allowance could not be loaded.</span>
      ) : remaining === null ? (
        <Figures figure="No monthly limit" unit={usedLabel(used, now)} />
      ) : (
        <Figure
          value={remaining}
          unit={limit ? `of ${formatNumber(limit)} · ${usedLabel(used, now)}` : undefined}
        />
      )}
      {isKnown && limit !== null && (
        <span className={classes.meter}>
          <Meter used={used} limit={limit} label="Monthly API calls used" isThin />
        </span>
      )}
    </section>
  );
}

function Figure({ value, unit }: { value: number | undefined; unit?: string | undefined }) {
  if (value === undefined) return <Skeleton height={16} my={4} width={96} />;
  return <Figures figure={formatNumber(value)} unit={unit} />;
}

function Figures({ figure, unit }: { figure: string; unit: string | undefined }) {
  return (
    <span>
      <strong className={classes.figure}>{figure}</strong>
      {unit && <span className="muted tiny"> {unit}</span>}
    </span>
  );
}

const usedLabel = (used: number, now: number) =>
  `${formatNumber(used)} used, resets on ${formatUtcDay(nextMonthOf(now))}`;
