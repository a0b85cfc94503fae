/** Labels an environment as live, test or preview, in text rather than by colour alone. */
import type { EnvironmentType } from '#contracts/console/environments';
import classes from './environments.module.css';

const LABELS: Record<EnvironmentType, string> = { live: 'Live', test: 'Test', preview: 'Preview' };

export function EnvironmentTypeBadge({ type }: { type: EnvironmentType }) {
  return (
    <span className={classes.type} data-type={type}>
      {LABELS[type]}
    </span>
  );
}
