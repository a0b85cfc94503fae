/** The page while the API description loads. */
import { Skeleton, Stack } from '@mantine/core';
import classes from './docs-page.module.css';

const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];

export function DocsSkeleton() {
  return (
    <div className={classes.layout} aria-hidden>
      <div className={classes.skeletonNav}>
        {LINES.map((line) => (
          <Skeleton key={line} height={14} width={96} />
        ))}
      </div>
      <Stack gap={20}>
        <Skeleton height={18} width={180} />
        <Skeleton height={84} />
        <Skeleton height={18} width={140} />
        <Skeleton height={320} />
      </Stack>
    </div>
  );
}
