/** Stacked bars over time. Charts with the same `highest` share a scale. */
import { memo } from 'react';
import { formatNumber } from '../format.ts';
import { edgeAt } from './chart-axis.tsx';
import { ChartFrame, type ChartFrameProps, type SlotRange } from './chart-frame.tsx';
import classes from './charts.module.css';
import { slotsLabel } from './time-labels.ts';

export interface BarChartProps
  extends Pick<
    ChartFrameProps,
    'label' | 'height' | 'pointed' | 'onPoint' | 'onChoose' | 'onRange' | 'onSelecting'
  > {
  /** From left to right. */
  readonly bars: readonly Bar[];
  /** From bottom to top; colours are custom properties. */
  readonly series: readonly { readonly label: string; readonly colour: string }[];
  /** The total that fills the height. Default: the highest bar. */
  readonly highest?: number;
  /** Number of slots, if the bars do not fill the chart. */
  readonly length?: number;
  /** Labels the highest bar with its total. */
  readonly hasPeakLabel?: boolean;
}

export interface Bar {
  /** The time that it covers. */
  readonly label: string;
  /** One value for each series. */
  readonly values: readonly number[];
}

export const totalOf = ({ values }: Bar): number => values.reduce((sum, value) => sum + value, 0);

export const highestOf = (bars: readonly Bar[]): number =>
  bars.reduce((highest, bar) => Math.max(highest, totalOf(bar)), 0);

/** One bar for several in a row, with the sums of their values. @param range null: for all of them */
export function joinBars(all: readonly Bar[], range: SlotRange | null): Bar {
  const bars = range === null ? all : all.slice(range.first, range.last + 1);
  const { values = [] } = bars[0] ?? {};
  return {
    label: slotsLabel(bars.map(({ label }) => label)),
    values: values.map((_, at) => bars.reduce((sum, bar) => sum + (bar.values[at] ?? 0), 0)),
  };
}

export function BarChart(props: BarChartProps) {
  const { bars, series, highest = highestOf(bars), length = bars.length, hasPeakLabel, ...frame } = props;
  return (
    <ChartFrame
      {...frame}
      count={length}
      known={bars.length}
      valueText={(first, last) => {
        const { label, values } = joinBars(bars, { first, last });
        const figures = series.map((each, at) => `${formatNumber(values[at] ?? 0)} ${each.label}`);
        return `${label}: ${figures.join(', ')}`;
      }}
    >
      <Bars bars={bars} series={series} highest={highest} length={length} />
      {hasPeakLabel && props.pointed === null && <Peak bars={bars} highest={highest} length={length} />}
    </ChartFrame>
  );
}

type BarsProps = Required<Pick<BarChartProps, 'bars' | 'series' | 'highest' | 'length'>>;

const Bars = memo(function Bars({ bars, series, highest, length }: BarsProps) {
  return Array.from({ length }, (_, index) => {
    const bar = bars[index];
    const total = bar === undefined ? 0 : totalOf(bar);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time.
      <span key={index} className={classes.slot}>
        {bar === undefined || total === 0 ? (
          <span className={classes.stub} data-ahead={bar === undefined || undefined} />
        ) : (
          <span
            className={classes.bar}
            style={{ height: `max(3px, ${(total / Math.max(1, highest)) * 100}%)` }}
          >
            {series.map(({ label, colour }, at) => {
              const value = bar.values[at] ?? 0;
              return (
                value > 0 && <span key={label} style={{ flexGrow: value, background: `var(${colour})` }} />
              );
            })}
          </span>
        )}
      </span>
    );
  });
});

function Peak({ bars, highest, length }: Omit<BarsProps, 'series'>) {
  const total = highestOf(bars);
  const index = bars.findIndex((bar) => totalOf(bar) === total);
  if (total === 0) return null;
  const edge = edgeAt(index, length);
  const slot = index + { start: 0, middle: 0.5, end: 1 }[edge ?? 'middle'];
  return (
    <span
      className={classes.peak}
      aria-hidden
      data-edge={edge}
      style={{
        left: `${(slot / length) * 100}%`,
        bottom: `calc(${(total / Math.max(1, highest)) * 100}% + 2px)`,
      }}
    >
      {formatNumber(total)}
    </span>
  );
}
