/** 'Completed n/total' with one tile per step. */
import { Stack } from '@mantine/core';
import classes from './quickstart.module.css';

export interface ProgressBarProps {
  readonly completed: number;
  readonly total: number;
  readonly label: string;
}

export function ProgressBar({ completed, total, label }: ProgressBarProps) {
  return (
    <Stack gap={6}>
      <span className="muted small figures">{`Completed ${completed}/${total}`}</span>
      <div
        className={classes.progress}
        role="progressbar"
        aria-label={label}
        aria-valuenow={completed}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuetext={`${completed} of ${total} completed`}
      >
        {Array.from({ length: total }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tiles differ by position only.
          <span key={index} data-done={index < completed || undefined} />
        ))}
      </div>
    </Stack>
  );
}
