/** Lines over time on one scale from zero. A value of null is a gap; a value between gaps is a point. */
import { memo } from 'react';
import { ChartFrame, type ChartFrameProps, type SlotRange } from './chart-frame.tsx';
import classes from './charts.module.css';
import { slotsLabel } from './time-labels.ts';

export interface LineChartProps
  extends Pick<
    ChartFrameProps,
    'label' | 'height' | 'pointed' | 'onPoint' | 'onChoose' | 'onRange' | 'onSelecting'
  > {
  /** The time that each slot covers, from left to right. */
  readonly times: readonly string[];
  /** The last is drawn on top; colours are custom properties. */
  readonly lines: readonly Line[];
  /** The figures of a range in words, one for each line. */
  readonly figures: (range: SlotRange) => readonly string[];
  readonly format: (value: number) => string;
}

export interface Line {
  readonly label: string;
  readonly colour: string;
  /** One value for each slot. */
  readonly values: readonly (number | null)[];
}

export function LineChart({ times, lines, figures, format, ...frame }: LineChartProps) {
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return (
    <ChartFrame
      {...frame}
      count={times.length}
      valueText={(first, last) => {
        const covered = figures({ first, last });
        const texts = lines.map(({ label }, index) => `${label} ${covered[index] ?? ''}`);
        return `${slotsLabel(times.slice(first, last + 1))}: ${texts.join(', ')}`;
      }}
    >
      <Lines lines={lines} highest={highest} count={times.length} />
      {highest > 0 && (
        <span className={classes.scale} aria-hidden>
          {format(highest)}
        </span>
      )}
    </ChartFrame>
  );
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly highest: number;
  readonly count: number;
}

const Lines = memo(function Lines({ lines, highest, count }: LinesProps) {
  return (
    <svg
      className={classes.lines}
      viewBox={`0 0 ${Math.max(1, count)} 100`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {lines.map(({ label, colour, values }) => {
        const { line, points } = pathsOf(values, highest);
        return (
          <g key={label} style={{ stroke: `var(${colour})` }}>
            <path d={line} />
            <path d={points} className={classes.points} />
          </g>
        );
      })}
    </svg>
  );
});

/** Lines through the middle of each slot, and points where both neighbours are gaps: lines without length with round ends. */
export function pathsOf(
  values: readonly (number | null)[],
  highest: number,
): { line: string; points: string } {
  const scale = 96 / Math.max(1e-9, highest);
  let [line, points] = ['', ''];
  values.forEach((value, index) => {
    if (value === null) return;
    const isStart = (values[index - 1] ?? null) === null;
    const place = `${index + 0.5} ${(98 - value * scale).toFixed(2)}`;
    if (isStart && (values[index + 1] ?? null) === null) points += `M${place}h0.001`;
    else line += `${isStart ? 'M' : 'L'}${place}`;
  });
  return { line, points };
}
