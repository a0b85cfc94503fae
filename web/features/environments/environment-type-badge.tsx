/** Whether an environment is live, for tests, or the preview of the workspace: a word, never a colour alone. */
import type { EnvironmentType } from '#contracts/environments';
import classes from './environments.module.css';

const WORDS: Record<EnvironmentType, string> = { live: 'Live', test: 'Test', preview: 'Preview' };

export function EnvironmentTypeBadge({ type }: { type: EnvironmentType }) {
  return (
    <span className={classes.type} data-type={type}>
      {WORDS[type]}
    </span>
  );
}
