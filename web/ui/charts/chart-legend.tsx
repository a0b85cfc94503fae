/** What a chart's colours mean, with a figure for each: of the slot under the pointer, otherwise of the whole chart. */
import type { ReactNode } from 'react';
import classes from './charts.module.css';

export interface LegendEntry {
  readonly label: string;
  /** A custom property. */
  readonly colour: string;
  readonly figure: string;
}

export interface ChartLegendProps {
  readonly entries: readonly LegendEntry[];
  /** What the figures cover: a time, or the whole range. */
  readonly covers?: ReactNode;
}

export function ChartLegend({ entries, covers }: ChartLegendProps) {
  return (
    <div className={classes.legend}>
      {entries.map(({ label, colour, figure }) => (
        <span key={label} className={`inline-row gap-6 nowrap ${classes.entry}`}>
          <span className={classes.swatch} style={{ background: `var(${colour})` }} />
          {label} <strong>{figure}</strong>
        </span>
      ))}
      {covers !== undefined && <span className={classes.covers}>{covers}</span>}
    </div>
  );
}
