/** A bar for each day of the month so far. Hovering tells the day; the list behind it is for screen readers. */
import { Tooltip, VisuallyHidden } from '@mantine/core';
import { formatNumber, formatUtcDay } from '../../ui/format.ts';
import type { DayTotal } from './sum-usage.ts';
import classes from './usage.module.css';

const DAYS_OF_LONGEST_MONTH = 31;

export function DayBars({ days }: { days: readonly DayTotal[] }) {
  const highest = Math.max(1, ...days.map(({ total }) => total));
  const rest = DAYS_OF_LONGEST_MONTH - days.length;
  return (
    <>
      <div className={classes.days} aria-hidden="true">
        {days.map(({ at, total }) => (
          <Tooltip key={at} label={`${formatUtcDay(at)}: ${formatNumber(total)}`} openDelay={100}>
            <span className={classes.day}>
              <span
                className={classes.dayBar}
                data-empty={total === 0 || undefined}
                style={{ height: `${Math.max(8, (total / highest) * 100)}%` }}
              />
            </span>
          </Tooltip>
        ))}
        {Array.from({ length: rest }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the days to come are all alike.
          <span key={index} className={classes.day} />
        ))}
      </div>
      <VisuallyHidden>
        <ul>
          {days
            .filter(({ total }) => total > 0)
            .map(({ at, total }) => (
              <li key={at}>{`${formatUtcDay(at)}: ${formatNumber(total)}`}</li>
            ))}
        </ul>
      </VisuallyHidden>
    </>
  );
}
