/** The dashboard's first line: which version runs where, and how many changes of the workspace are not deployed. */
import { Skeleton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import { isSettled } from '#web/api/is-settled.ts';
import { paths } from '#web/paths.ts';
import { counted } from '#web/ui/format.ts';
import { displayLabel, displayOf } from '../deployments/deployment-display.ts';
import { runningVersion } from '../deployments/running-version.ts';
import { lastDiffQuery } from './queries.ts';
import classes from './state-line.module.css';
import { laggingOf, toChanges } from './to-changes.ts';

/** Environments named before '… more'. */
const SHOWN = 4;

export interface StateLineProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

export function StateLine({ orgId, statuses }: StateLineProps) {
  const lastDiff = useQuery(lastDiffQuery(orgId));
  const diff = lastDiff.data;
  // Both at once: the second would take another line on a narrow screen.
  const deployable = (isSettled(lastDiff) ? statuses : undefined)?.filter(
    ({ environmentType }) => environmentType === 'deployable',
  );
  const behind = laggingOf(diff?.fromArtifactNumber ?? null, deployable ?? []);
  const more = (deployable?.length ?? 0) - SHOWN;
  return (
    <section className={classes.line} aria-label="What runs where">
      {deployable === undefined ? (
        <>
          <span className={classes.environment}>
            <Skeleton height={14} width={200} />
          </span>
          <span className={classes.changes}>
            <Skeleton height={14} width={160} />
          </span>
        </>
      ) : deployable.length === 0 ? (
        <Link to={paths.environments(orgId, 'environments')} className={classes.environment}>
          Add an environment to deploy to
        </Link>
      ) : (
        deployable.slice(0, SHOWN).map((status) => {
          const display = displayOf(status);
          return (
            <Link
              key={status.environmentId}
              to={paths.environment(orgId, status.environmentId)}
              className={classes.environment}
              title={displayLabel(status.environmentName, display)}
            >
              <span className={classes.tile} data-state={display} />
              <span className="truncate">{status.environmentName}</span>
              <strong>{display === 'empty' ? 'nothing' : runningVersion(status)}</strong>
            </Link>
          );
        })
      )}
      {more > 0 && <Link to={paths.environments(orgId)}>{`${more} more`}</Link>}
      {deployable !== undefined && diff !== undefined && (
        <Link to={toChanges(orgId, diff, deployable)} className={classes.changes}>
          {changesLabel(diff, behind)}
          {diff.items.length + behind.length > 0 && (
            <>
              {' '}
              <IconArrowRight size={14} aria-hidden />
              <strong>Review</strong>
            </>
          )}
        </Link>
      )}
    </section>
  );
}

function changesLabel(
  { items, fromArtifactNumber: number }: Diff,
  behind: readonly EnvironmentStatus[],
): string {
  if (items.length > 0) return `${counted(items.length, 'change')} not deployed`;
  if (number === null) return 'No changes yet';
  const [first] = behind;
  if (first === undefined) return `The workspace matches v${number}`;
  return `v${number} not deployed to ${behind.length === 1 ? first.environmentName : `${behind.length} environments`}`;
}
