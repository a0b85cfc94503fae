/** Relative times, which go on while they are shown. */
import { Box } from '@mantine/core';
import { now as currentTime } from '#web/clock.ts';
import { formatAge, formatInstant, formatShortAge } from '../format.ts';
import { useNow } from '../use-now.ts';
import { Hint } from './hint.tsx';

/** Ages change by the minute, and by the second within the first. */
const STEP_MS = 10_000;
const MINUTE_MS = 60_000;

export interface AgeProps {
  /** Epoch milliseconds. */
  readonly at: number;
  /** '2m' in place of '2 minutes ago' on narrow screens. */
  readonly isShortIfNarrow?: boolean;
}

/** A relative time, with the full time on hover. */
export function Age({ at, isShortIfNarrow = false }: AgeProps) {
  const now = useNow(STEP_MS);
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

/** '12s', '3m'. */
export function ShortAge({
  at,
  className,
}: {
  readonly at: number;
  readonly className?: string | undefined;
}) {
  const seconds = useNow(currentTime() - at < MINUTE_MS + STEP_MS ? 1_000 : STEP_MS);
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={formatInstant(at)}>
      {formatShortAge(at, seconds)}
    </time>
  );
}

/** 'ends in 3 days', 'ended 2 hours ago'. */
export function End({ at }: { readonly at: number }) {
  return (
    <>
      {useHasEnded(at) ? 'ended' : 'ends'} <Age at={at} />
    </>
  );
}

/** Whether an instant has passed. */
export const useHasEnded = (at: number | null): boolean =>
  useNow(STEP_MS) >= (at ?? Number.POSITIVE_INFINITY);
