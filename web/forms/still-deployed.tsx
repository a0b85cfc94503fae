/** Part of a confirmation: the environments whose deployed version contains the item, and until when. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useOrgId } from '#web/session/organisation.tsx';
import classes from './still-deployed.module.css';
import { stillDeployedQuery, type WorkspaceItem } from './still-deployed-query.ts';

export interface StillDeployedProps {
  /** Null while no deletion is pending. */
  readonly item: WorkspaceItem | null;
  /** What happens to the item. */
  readonly change?: 'removal' | 'rename';
}

const TEXTS = {
  removal: { preview: 'removed within seconds', deployed: 'stays until a version without it is deployed' },
  rename: {
    preview: 'has the new slug within seconds',
    deployed: 'has the old slug until a version with the new one is deployed',
  },
} as const;

export function StillDeployed({ item, change = 'removal' }: StillDeployedProps) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(stillDeployedQuery(orgId, item));
  if (error !== null) {
    return (
      <div className={classes.box} role="alert">
        <p>Could not check where it is deployed: {error.message || 'something went wrong on our side'}.</p>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className={classes.box} role="status" aria-label="Checking where it is deployed">
        <Skeleton height={14} width="55%" />
        <Skeleton height={14} width="80%" />
      </div>
    );
  }
  if (data.length === 0) {
    return (
      <div className={classes.box} role="status" aria-label="Where it is deployed">
        <p>No environment runs a version with it.</p>
      </div>
    );
  }
  return (
    <div className={classes.box} role="status" aria-label="Where it is deployed">
      <p className="strong medium">{change === 'removal' ? 'Still deployed in' : 'Deployed in'}</p>
      <ul>
        {data.map(({ environmentId, environmentName, isPreview, artifactNumber }) => (
          <li key={environmentId}>
            <span className="strong medium breaks">{environmentName}</span>
            <span>
              {isPreview ? (
                TEXTS[change].preview
              ) : (
                <>
                  {artifactNumber !== null && <span className="mono">v{artifactNumber}</span>}{' '}
                  {TEXTS[change].deployed}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
