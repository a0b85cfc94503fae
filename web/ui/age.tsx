/** A relative time, with the full time on hover. */
import { formatAge, formatInstant } from './format.ts';
import { Hint } from './hint.tsx';

export function Age({ at }: { at: number }) {
  return (
    <Hint label={formatInstant(at)}>
      <time dateTime={new Date(at).toISOString()}>{formatAge(at, Date.now())}</time>
    </Hint>
  );
}
