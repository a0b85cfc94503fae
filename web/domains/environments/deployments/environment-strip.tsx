/**
 * One tile per environment: its running version, and the progress of a deployment. A long list is folded, except for
 * environments that are updating.
 */
import { Button, Skeleton, Text } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { queryKeys } from '#web/api/query-keys.ts';
import { paths } from '#web/paths.ts';
import { Age } from '#web/ui/age.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './deployments.module.css';
import { keepCount, readCount } from './kept-count.ts';
import { LocationProgress } from './location-progress.tsx';
import { runningVersion } from './running-version.ts';

export interface EnvironmentStripProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

/** Every organisation has the preview environment. */
const LEAST_COUNT = 1;

/** Visible tiles while folded. deployments.module.css repeats both numbers. */
const SHOWN = 8;
const SHOWN_ON_SMALL_SCREENS = 4;

export function EnvironmentStrip({ orgId, statuses }: EnvironmentStripProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const list = useId();
  const count = statuses?.length ?? 0;
  useEffect(() => {
    if (count > 0) keepCount(orgId, count);
  }, [orgId, count]);
  if (statuses === undefined) return <LoadingStrip orgId={orgId} />;
  return (
    <div className="column top gap-12">
      <ul
        id={list}
        className={classes.strip}
        aria-label="What runs where"
        data-folded={!isUnfolded || undefined}
      >
        {statuses.map((status) => (
          <li key={status.environmentId} data-updating={displayOf(status) === 'deploying' || undefined}>
            <Link to={paths.environment(orgId, status.environmentId)} className={classes.environment}>
              <span className="bold breaks">{status.environmentName}</span>
              <Text span fz="sm" ff="monospace" lh="1.3125rem">
                {runningVersion(status)}
              </Text>
              <DeploymentState status={status} />
            </Link>
          </li>
        ))}
      </ul>
      {count > SHOWN_ON_SMALL_SCREENS && (
        <Button
          className={classes.unfold}
          data-small-only={count <= SHOWN || undefined}
          variant="default"
          aria-expanded={isUnfolded}
          aria-controls={list}
          rightSection={
            isUnfolded ? <IconChevronUp size={15} aria-hidden /> : <IconChevronDown size={15} aria-hidden />
          }
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Show fewer' : `Show all ${count}`}
        </Button>
      )}
    </div>
  );
}

function LoadingStrip({ orgId }: { orgId: string }) {
  const known = useQueryClient().getQueryData<readonly unknown[]>(queryKeys.environments(orgId));
  const count = known?.length ?? readCount(orgId) ?? LEAST_COUNT;
  return (
    <div className="column top gap-12">
      <ul className={classes.strip} aria-label="What runs where" aria-busy="true" data-folded>
        {Array.from({ length: Math.min(count, SHOWN) }, (_, index) => index).map((index) => (
          <li key={index} className={classes.environment}>
            <Skeleton height={14} width="50%" />
            <Skeleton height={18} width={32} />
            <span className={classes.state}>
              <Skeleton height={14} width="60%" />
            </span>
          </li>
        ))}
      </ul>
      {count > SHOWN_ON_SMALL_SCREENS && (
        <Skeleton
          className={classes.unfold}
          data-small-only={count <= SHOWN || undefined}
          height="var(--control-height)"
          width={112}
        />
      )}
    </div>
  );
}

function DeploymentState({ status }: { status: EnvironmentStatus }) {
  const display = displayOf(status);
  return (
    <span className={classes.state} aria-live="polite">
      <DeploymentTile display={display} />
      {display === 'deploying' && status.deployInProgress ? (
        <LocationProgress locations={status.locations} />
      ) : (
        display === 'deployed' &&
        status.lastDeployedAt !== null && (
          <span className={`faint ${classes.deployedAt}`}>
            <Age at={status.lastDeployedAt} />
          </span>
        )
      )}
    </span>
  );
}
