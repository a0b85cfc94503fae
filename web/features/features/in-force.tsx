/** Where something that is about to be deleted is still in force: the environments that run a version with it. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Thing } from '../../api/where-in-force.ts';
import classes from './features.module.css';
import { inForceQuery } from './queries.ts';

export interface InForceProps {
  readonly orgId: string;
  /** Null: nothing is about to be deleted. */
  readonly thing: Thing | null;
}

export function InForce({ orgId, thing }: InForceProps) {
  const { data, error, refetch } = useQuery(inForceQuery(orgId, thing));
  if (error !== null) {
    return (
      <div className={classes.inForce} role="alert">
        <p>
          Where it is in force could not be found out: {error.message || 'something went wrong on our side'}.
        </p>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className={classes.inForce} role="status" aria-label="Looking where it is in force">
        <Skeleton height={14} width="55%" />
        <Skeleton height={14} width="80%" />
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <div className={classes.inForce} role="status">
        <p>No environment runs a version with it.</p>
      </div>
    );
  }
  return (
    <div className={classes.inForce} role="status">
      <p className={classes.inForceTitle}>Still in force in</p>
      <ul>
        {data.map(({ environmentId, environmentName, isPreview, artifactNumber }) => (
          <li key={environmentId}>
            <span className={classes.inForceName}>{environmentName}</span>
            <span>
              {isPreview ? (
                'ends within seconds: it follows the workspace'
              ) : (
                <>
                  {artifactNumber !== null && <span className={classes.version}>v{artifactNumber}</span>}{' '}
                  stays until a version without it is deployed
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
