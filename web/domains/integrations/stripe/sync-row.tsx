/** One kind of sync: status, progress, error, and the button that starts it. */
import { Box, Button, Flex, Group } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SyncJob, SyncType } from '#contracts/console/stripe';
import { formatNumber } from '#web/ui/format.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import classes from './stripe.module.css';
import { SYNC_NOUNS, syncLabel } from './stripe-labels.ts';

export interface SyncRowProps {
  readonly type: SyncType;
  readonly job: SyncJob | undefined;
  /** The number of stored rows so far. */
  readonly count: number;
  /** Undefined if the row is read-only. */
  readonly onStart?: (() => void) | undefined;
  readonly isStarting?: boolean;
}

export function SyncRow({ type, job, count, onStart, isStarting = false }: SyncRowProps) {
  const noun = SYNC_NOUNS[type];
  const { label, tone } = syncLabel(job);
  const isRunning = job?.status === 'running';
  const hasFailed = job?.status === 'failed';
  return (
    <Flex component="li" direction="column" gap={8}>
      <Group gap="4px 12px" mih="var(--control-height)">
        <span className="medium">{noun}</span>
        <StatusLabel tone={tone}>{label}</StatusLabel>
        {job?.finishedAt != null && (
          <span className="muted small figures">
            <Age at={job.finishedAt} />
          </span>
        )}
        {onStart !== undefined && !isRunning && (
          <Button
            variant="default"
            ml="auto"
            leftSection={<IconRefresh size={15} aria-hidden />}
            loading={isStarting}
            onClick={onStart}
          >
            {hasFailed ? 'Try again' : `Sync ${noun.toLowerCase()}`}
          </Button>
        )}
      </Group>
      {job !== undefined && (
        <div
          className={classes.bar}
          data-state={isRunning && job.waitsUntil !== null ? 'waiting' : job.status}
          role="progressbar"
          aria-label={`Sync of ${noun.toLowerCase()}`}
          aria-valuetext={`${label}: ${countsOf(job)}`}
          {...(job.status === 'finished' && { 'aria-valuenow': 100 })}
        >
          <span />
        </div>
      )}
      <Group gap="2px 20px" c="dimmed" fz="sm" className="figures">
        {job === undefined ? (
          <span>{count === 0 ? 'Nothing synced yet.' : `${formatNumber(count)} known.`}</span>
        ) : (
          <>
            <span>
              <b className="strong medium">{formatNumber(job.processed)}</b> processed
            </span>
            <Box component="span" c={job.failed > 0 ? 'var(--denied)' : undefined}>
              <b className={job.failed > 0 ? 'medium' : 'strong medium'}>{formatNumber(job.failed)}</b> failed
            </Box>
          </>
        )}
      </Group>
      {job?.error != null && (
        <Box
          component="p"
          m={0}
          fz="sm"
          c={hasFailed ? 'var(--denied)' : 'var(--warning)'}
          className="breaks"
        >
          {job.error}
          {hasFailed && ' Data synced so far is kept.'}
        </Box>
      )}
    </Flex>
  );
}

const countsOf = ({ processed, failed }: SyncJob) =>
  `${formatNumber(processed)} processed, ${formatNumber(failed)} failed`;
