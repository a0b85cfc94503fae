/** Labels under a chart, each below the slot that it names. */
import classes from './charts.module.css';
import type { AxisTick } from './time-labels.ts';

export interface ChartAxisProps {
  /** Number of slots of the chart. */
  readonly count: number;
  /** From left to right. */
  readonly ticks: readonly AxisTick[];
}

/** More are too many for a narrow screen, which shows every second one. */
const NARROW_TICKS = 5;
/** As a share of the width: labels nearer to an edge stay within the chart. */
const EDGE = 0.05;

/** The edge that a slot's label would cross. */
export function edgeAt(index: number, count: number): 'start' | 'end' | undefined {
  const middle = (index + 0.5) / count;
  return middle < EDGE ? 'start' : middle > 1 - EDGE ? 'end' : undefined;
}

export function ChartAxis({ count, ticks }: ChartAxisProps) {
  return (
    <div className={classes.axis} data-dense={ticks.length > NARROW_TICKS || undefined} aria-hidden>
      {ticks.map(({ index, label }) => (
        <span
          key={index}
          className={classes.tick}
          data-edge={edgeAt(index, count)}
          style={{ left: `${((index + 0.5) / count) * 100}%` }}
        >
          <span>{label}</span>
        </span>
      ))}
    </div>
  );
}
