/** A relative time, with the full time on hover. */
import { Box } from '@mantine/core';
import { formatAge, formatInstant, formatShortAge } from './format.ts';
import { Hint } from './hint.tsx';

export interface AgeProps {
  /** Epoch milliseconds. */
  readonly at: number;
  /** '2m' in place of '2 minutes ago' on narrow screens. */
  readonly isShortIfNarrow?: boolean;
}

export function Age({ at, isShortIfNarrow = false }: AgeProps) {
  const now = Date.now();
  return (
    <Hint label={formatInstant(at)}>
      <time dateTime={new Date(at).toISOString()}>
        {isShortIfNarrow ? (
          <>
            <Box component="span" visibleFrom="sm">
              {formatAge(at, now)}
            </Box>
            <Box component="span" hiddenFrom="sm">
              {formatShortAge(at, now)}
            </Box>
          </>
        ) : (
          formatAge(at, now)
        )}
      </time>
    </Hint>
  );
}
