/** What each environment runs just now, one tile each, with the progress of whatever is being deployed. */
import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import type { EnvironmentStatus } from '#contracts/artifacts';
import { paths } from '../../paths.ts';
import { Age } from '../../ui/age.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import classes from './environments.module.css';
import { LocationProgress } from './location-progress.tsx';
import { runningVersion } from './running-version.ts';

export interface EnvironmentStripProps {
  readonly orgId: string;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

const SKELETONS = ['one', 'two', 'three'];

export function EnvironmentStrip({ orgId, statuses }: EnvironmentStripProps) {
  return (
    <ul className={classes.strip} aria-label="What runs where">
      {statuses === undefined
        ? SKELETONS.map((name) => (
            <li key={name} className={classes.environment}>
              <Skeleton height={14} width="50%" />
              <Skeleton height={18} width="30%" />
              <Skeleton height={14} width="60%" />
            </li>
          ))
        : statuses.map((status) => (
            <li key={status.environmentId}>
              <Link to={paths.environment(orgId, status.environmentId)} className={classes.environment}>
                <span className={classes.environmentName}>{status.environmentName}</span>
                <span className={classes.running}>{runningVersion(status)}</span>
                <Standing status={status} />
              </Link>
            </li>
          ))}
    </ul>
  );
}

function Standing({ status }: { status: EnvironmentStatus }) {
  const display = displayOf(status);
  return (
    <span className={classes.standing} aria-live="polite">
      <DeploymentTile display={display} />
      {display === 'deploying' && status.deployInProgress ? (
        <LocationProgress locations={status.locations} />
      ) : (
        display === 'deployed' &&
        status.lastDeployedAt !== null && (
          <span className={classes.faint}>
            <Age at={status.lastDeployedAt} />
          </span>
        )
      )}
    </span>
  );
}
