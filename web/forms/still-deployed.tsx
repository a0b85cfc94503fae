/** Part of a confirmation: the environments whose deployed version contains the item, and until when. */
import { useQuery } from '@tanstack/react-query';
import { useOrgId } from '#web/session/organisation.tsx';
import { FoundBox } from './found-box.tsx';
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
  return (
    <FoundBox query={useQuery(stillDeployedQuery(orgId, item))} what="where it is deployed">
      {(found) =>
        found.length === 0 ? (
          <p>No environment runs a version with it.</p>
        ) : (
          <>
            <p className="strong medium">{change === 'removal' ? 'Still deployed in' : 'Deployed in'}</p>
            <ul>
              {found.map(({ environmentId, environmentName, isPreview, artifactNumber }) => (
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
          </>
        )
      }
    </FoundBox>
  );
}
