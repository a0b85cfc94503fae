/** The environments that run a version, one small tile each. */
import { Loader } from '@mantine/core';
import type { Artifact, EnvironmentStatus } from '#contracts/artifacts';
import { displayOf } from './deployment-display.ts';
import classes from './versions.module.css';

export interface DeployedToProps {
  readonly version: Artifact;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

export function DeployedTo({ version, statuses = [] }: DeployedToProps) {
  const running = statuses.filter(({ artifactId }) => artifactId === version.artifactId);
  if (running.length === 0) return <span className={classes.nowhere}>–</span>;
  return (
    <span className={classes.chips}>
      {running.map((status) => (
        <span key={status.environmentId} className={classes.chip}>
          {displayOf(status) === 'deploying' ? (
            <Loader size={9} aria-label="updating" />
          ) : (
            <span className={classes.chipTile} />
          )}
          <span className={classes.chipName}>{status.environmentName}</span>
        </span>
      ))}
    </span>
  );
}
