/** Labels under a chart: its beginning, its middle if there is room, and its end. */
import classes from './charts.module.css';

export function ChartAxis({ labels }: { labels: readonly string[] }) {
  return (
    <div className={classes.axis} aria-hidden>
      {labels.map((label, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place on the axis.
        <span key={index}>{label}</span>
      ))}
    </div>
  );
}
