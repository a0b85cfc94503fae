/** What an environment runs, what it would run, and the deployment in one click: 'Production v1 → v2 · Deploy v2 to Production'. */
import { Anchor, Button } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { sentence } from '#web/ui/format.ts';
import { displayOf } from '../../deployments/deployment-display.ts';
import { LocationProgress } from '../../deployments/location-progress.tsx';
import { moveOf, reasonAgainstMove } from '../version-move.ts';
import classes from './deploy-bar.module.css';
import type { Move } from './deploy-part.tsx';

export interface DeployBarProps {
  readonly environment: EnvironmentStatus;
  /** Null: the workspace, which is no version. */
  readonly version: Artifact | null;
  /** The path of the comparison. Absent where it is on screen. */
  readonly review?: string;
  readonly onMove: (move: Move) => void;
}

export function DeployBar({ environment, version, review, onMove }: DeployBarProps) {
  const { environmentName, artifactNumber } = environment;
  const number = version?.artifactNumber;
  return (
    <section className={classes.bar} aria-label={sentence`Next for ${environmentName}`}>
      <span className={classes.move}>
        <bdi className="bold breaks">{environmentName}</bdi>{' '}
        <span className={artifactNumber === null ? 'muted' : 'mono'}>
          {artifactNumber === null ? 'nothing deployed' : `v${artifactNumber}`}
        </span>{' '}
        <IconArrowRight size={14} role="img" aria-label="to" />{' '}
        <span className={number === undefined ? '' : 'mono'}>
          {number === undefined ? 'workspace' : `v${number}`}
        </span>
      </span>
      {displayOf(environment) === 'deploying' && <LocationProgress locations={environment.locations} />}
      <span className={classes.actions}>
        {review !== undefined && (
          <Anchor component={Link} to={review} size="sm">
            Review
          </Anchor>
        )}
        {version === null ? (
          <span className="muted small">Create a version to deploy these changes.</span>
        ) : (
          <Button
            variant={review === undefined ? 'filled' : 'default'}
            disabled={reasonAgainstMove(version, environment) !== null}
            onClick={() => onMove({ version, chosen: environment })}
          >
            {moveOf(version.artifactNumber, artifactNumber, environmentName).shortLabel}
          </Button>
        )}
      </span>
    </section>
  );
}
