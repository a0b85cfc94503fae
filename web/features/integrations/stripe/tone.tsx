/** A state in one word, with a tile in its colour before it. */

import classes from './stripe.module.css';
import type { Tone } from './stripe-words.ts';

export function ToneWord({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={classes.tone} data-tone={tone}>
      {children}
    </span>
  );
}
