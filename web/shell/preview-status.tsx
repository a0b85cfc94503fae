/** How the preview environment stands, as a tile in the top bar; it is followed closely while it is updating. */
import { Loader, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { displayLabel, displayOf } from '../features/environments/deployment-display.ts';
import { deploymentStatusQuery } from '../features/environments/queries.ts';
import { useOrganisation } from '../session/organisation.tsx';
import classes from './header.module.css';

export function PreviewStatus() {
  const { orgId, isLoading } = useOrganisation();
  const { data } = useQuery(deploymentStatusQuery(orgId));
  const preview = data?.environments.find(({ environmentType }) => environmentType === 'preview');
  // Its place is kept while it is not known: nothing beside it moves when it comes.
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
