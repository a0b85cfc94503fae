/** A state in a word, with a tile in its colour before it. */
import classes from './tone-word.module.css';

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

export function ToneWord({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tone} data-tone={tone}>
      {children}
    </span>
  );
}
