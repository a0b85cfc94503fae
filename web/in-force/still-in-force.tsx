/** In the dialog that asks before something is deleted: the environments that run a version with it, and until when. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import classes from './still-in-force.module.css';
import { inForceQuery, type Thing } from './where-in-force.ts';

export interface StillInForceProps {
  readonly orgId: string;
  /** Null: nothing is about to be deleted. */
  readonly thing: Thing | null;
}

export function StillInForce({ orgId, thing }: StillInForceProps) {
  const { data, error, refetch } = useQuery(inForceQuery(orgId, thing));
  if (error !== null) {
    return (
      <div className={classes.box} role="alert">
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
      <div className={classes.box} role="status" aria-label="Looking where it is in force">
        <Skeleton height={14} width="55%" />
        <Skeleton height={14} width="80%" />
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <div className={classes.box} role="status">
        <p>No environment runs a version with it.</p>
      </div>
    );
  }
  return (
    <div className={classes.box} role="status">
      <p className={classes.title}>Still in force in</p>
      <ul>
        {data.map(({ environmentId, environmentName, isPreview, artifactNumber }) => (
          <li key={environmentId}>
            <span className={classes.name}>{environmentName}</span>
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
