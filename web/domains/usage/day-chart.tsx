/**
 * A small bar chart of one month. Hovering reports the day to the parent, which shows the figure and may highlight the
 * same day in other charts. UsageTable shows the same numbers accessibly.
 */
import { type PointerEvent, useRef } from 'react';
import { formatNumber } from '#web/ui/format.ts';
import type { DayTotal } from './sum-usage.ts';
import classes from './usage.module.css';

export interface DayChartProps {
  /** Daily totals from the first of the month to today. */
  readonly days: readonly DayTotal[];
  /** Number of days in the month. */
  readonly length: number;
  /** The total that maps to the full height. */
  readonly highest: number;
  /** Height in pixels. */
  readonly height: number;
  /** Index in `days` of the hovered day. */
  readonly pointed: number | null;
  readonly onPoint: (day: number | null) => void;
  /** Whether to label the busiest day with its total. */
  readonly hasPeakLabel?: boolean;
}

export function DayChart({ days, length, highest, height, pointed, onPoint, hasPeakLabel }: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const point = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    const day = Math.floor(((event.clientX - box.left) / box.width) * length);
    onPoint(day >= 0 && day < days.length ? day : null);
  };
  const peak = hasPeakLabel ? peakOf(days) : null;
  return (
    <div
      ref={frame}
      className={classes.chart}
      style={{ height }}
      aria-hidden="true"
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(null)}
    >
      {Array.from({ length }, (_, index) => {
        const total = days[index]?.total ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its index.
          <span key={index} className={classes.slot} data-pointed={index === pointed || undefined}>
            <span
              className={classes.day}
              data-state={total > 0 ? 'used' : index < days.length ? 'unused' : 'ahead'}
              style={total > 0 ? { height: `max(3px, ${(total / Math.max(1, highest)) * 100}%)` } : undefined}
            />
          </span>
        );
      })}
      {peak !== null && pointed === null && (
        <span
          className={classes.peak}
          data-side={peak.index > length / 2 ? 'end' : 'start'}
          style={{
            ...(peak.index > length / 2
              ? { right: `${((length - peak.index - 1) / length) * 100}%` }
              : { left: `${(peak.index / length) * 100}%` }),
            bottom: `calc(${(peak.total / Math.max(1, highest)) * 100}% + 2px)`,
          }}
        >
          {formatNumber(peak.total)}
        </span>
      )}
    </div>
  );
}

function peakOf(days: readonly DayTotal[]): { index: number; total: number } | null {
  const total = Math.max(0, ...days.map((day) => day.total));
  return total === 0 ? null : { index: days.findIndex((day) => day.total === total), total };
}
