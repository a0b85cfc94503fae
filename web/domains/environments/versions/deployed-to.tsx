/** The environments that run a version, as chips. */
import { Loader } from '@mantine/core';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { Hint } from '#web/ui/hint.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { displayOf } from '../deployments/deployment-display.ts';
import classes from './versions.module.css';

export interface DeployedToProps {
  readonly version: Artifact;
  /** Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
}

/** Chips beyond this number collapse into a count with a tooltip: a version can run in dozens of environments. */
const MOST_NAMED = 2;

export function DeployedTo({ version, statuses = [] }: DeployedToProps) {
  const running = statuses.filter(({ artifactId }) => artifactId === version.artifactId);
  if (running.length === 0) return <span className={classes.nowhere}>–</span>;
  const isFolded = running.length > MOST_NAMED + 1;
  const named = isFolded ? running.slice(0, MOST_NAMED) : running;
  const rest = running.slice(named.length).map(({ environmentName }) => environmentName);
  return (
    <span className={classes.chips}>
      {named.map((status) => (
        <span key={status.environmentId} className={classes.chip}>
          {displayOf(status) === 'deploying' ? (
            <Loader size={9} aria-label="updating" />
          ) : (
            <span className={classes.chipTile} />
          )}
          <span className={classes.chipName}>{status.environmentName}</span>
        </span>
      ))}
      {isFolded && (
        <Hint label={rest.join(', ')}>
          <span className={classes.chip}>
            {`+${rest.length}`}
            <VisuallyHidden>{` more: ${rest.join(', ')}`}</VisuallyHidden>
          </span>
        </Hint>
      )}
    </span>
  );
}
