/** A status label with a coloured tile. */
import classes from './status-label.module.css';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

export function StatusLabel({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tone} data-tone={tone}>
      {children}
    </span>
  );
}
