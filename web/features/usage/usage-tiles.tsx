/** The month's usage at a glance: requests with their days, third-party events, and what is left of the allowance. */
import { Progress, Skeleton } from '@mantine/core';
import type { UsageItem } from '#contracts/usage';
import { formatNumber } from '../../ui/format.ts';
import { DayBars } from './day-bars.tsx';
import { dailyTotals, requestsRemaining, totalOf, USAGE_LABELS } from './sum-usage.ts';
import classes from './usage.module.css';

export interface UsageTilesProps {
  /** Undefined while loading. */
  readonly items: readonly UsageItem[] | undefined;
  /** Requests a month; null is without limit, undefined not known yet. */
  readonly limit: number | null | undefined;
  readonly now: number;
}

export function UsageTiles({ items, limit, now }: UsageTilesProps) {
  const remaining = items === undefined || limit === undefined ? undefined : requestsRemaining(items, limit);
  return (
    <div className={classes.tiles}>
      <div className={classes.tile}>
        <div className={classes.label}>{USAGE_LABELS.ac} this month</div>
        <Figure value={items && totalOf(items, 'ac')} />
        <DayBars days={items ? dailyTotals(items, 'ac', now) : []} />
      </div>
      <div className={classes.tile}>
        <div className={classes.label}>{USAGE_LABELS.se} this month</div>
        <Figure value={items && totalOf(items, 'se')} />
        <DayBars days={items ? dailyTotals(items, 'se', now) : []} />
      </div>
      <div className={classes.tile}>
        <div className={classes.label}>Requests remaining</div>
        {remaining === null ? (
          <div className={classes.figure}>No limit</div>
        ) : (
          <Figure value={remaining} unit={limit ? `of ${formatNumber(limit)}` : undefined} />
        )}
        {remaining !== null && limit !== null && (
          <Progress
            className={classes.bar}
            value={remaining === undefined || !limit ? 0 : 100 - (remaining / limit) * 100}
            size={6}
            aria-label="Share of the monthly requests used"
          />
        )}
      </div>
    </div>
  );
}

function Figure({ value, unit }: { value: number | undefined; unit?: string | undefined }) {
  if (value === undefined) return <Skeleton height={28} width={96} my={2} />;
  return (
    <div className={classes.figure}>
      {formatNumber(value)}
      {unit && <span className={classes.unit}> {unit}</span>}
    </div>
  );
}
