/** How long ago something happened, with the full time on hover. */
import { Tooltip } from '@mantine/core';
import { formatAge, formatInstant } from './format.ts';

export function Age({ at }: { at: number }) {
  return (
    <Tooltip label={formatInstant(at)}>
      <time dateTime={new Date(at).toISOString()}>{formatAge(at, Date.now())}</time>
    </Tooltip>
  );
}
