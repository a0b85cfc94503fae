/** The preview environment's deployment state as a tile in the top bar. */
import { Loader, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { displayLabel, displayOf } from '#web/domains/environments/deployments/deployment-display.ts';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import classes from './header.module.css';

export function PreviewStatus() {
  const { orgId, isLoading } = useOrganisation();
  const { data } = useQuery(deploymentStatusQuery(orgId));
  const preview = data?.environments.find(({ environmentType }) => environmentType === 'preview');
  // Reserves the space while loading, so that the neighbours do not move.
  if (preview === undefined) return orgId === null && !isLoading ? null : <span className={classes.status} />;
  const display = displayOf(preview);
  const label = displayLabel(preview.environmentName, display);
  return (
    <Tooltip label={label}>
      <span className={classes.status} role="img" aria-label={label}>
        {display === 'deploying' ? (
          <Loader size={14} aria-hidden />
        ) : (
          <span className={classes.statusTile} data-state={display} />
        )}
      </span>
    </Tooltip>
  );
}
