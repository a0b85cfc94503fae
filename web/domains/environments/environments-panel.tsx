/** The table of environments: type, running version, URL, and last deployment. */

import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  describeWorkspaceSize,
  type EnvironmentStatus,
  LARGE_WORKSPACE_BYTES,
  MAX_WORKSPACE_BYTES,
  workspaceBytes,
} from '#contracts/console/artifacts';
import { failedRead } from '#web/api/failed-read.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { displayOf } from './deployments/deployment-display.ts';
import { DeploymentTile } from './deployments/deployment-tile.tsx';
import { LastDeployed } from './deployments/environment-deployment.tsx';
import { LocationProgress } from './deployments/location-progress.tsx';
import { deploymentStatusQuery } from './deployments/queries.ts';
import { runningVersion } from './deployments/running-version.ts';
import { EnvironmentTypeBadge } from './environment-type-badge.tsx';
import classes from './environments.module.css';
import { environmentsQuery } from './queries.ts';

export function EnvironmentsPanel() {
  const orgId = useOrgId();
  const environments = useQuery(environmentsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const failed = failedRead(environments, deployments);
  if (failed !== null) return <ErrorState title="The environments could not be loaded" {...failed} />;
  const statuses = new Map(deployments.data?.environments.map((status) => [status.environmentId, status]));
  const size = deployments.data?.workspaceSize;
  const isLarge = size !== undefined && workspaceBytes(size) >= LARGE_WORKSPACE_BYTES;
  return (
    <div className={classes.table}>
      {isLarge && (
        <p role="status" className="small">
          Your workspace is {describeWorkspaceSize(size)}. The limit is {MAX_WORKSPACE_BYTES / 1_000_000} MB.
        </p>
      )}
      <ListTable
        label="environments"
        rows={deployments.data === undefined ? undefined : environments.data}
        rowKey={({ id }) => id}
        rowTo={({ id }) => paths.environment(orgId, id)}
        name={{ header: 'Name', cell: ({ name }) => name, detail: ({ description }) => description }}
        columns={[
          { header: 'Type', width: 90, cell: ({ type }) => <EnvironmentTypeBadge type={type} /> },
          { header: 'Deployment', cell: ({ id }) => <Deployment status={statuses.get(id)} /> },
          { header: 'URL', isSecondary: true, cell: ({ url }) => <Address url={url} /> },
          {
            header: 'Last deployed',
            isSecondary: true,
            cell: (environment) => <LastDeployed environment={environment} />,
          },
        ]}
      />
    </div>
  );
}

function Deployment({ status }: { status: EnvironmentStatus | undefined }) {
  if (status === undefined) return <span className="faint">–</span>;
  const display = displayOf(status);
  return (
    <span className={classes.deploymentCell}>
      <Box component="span" miw={28} className="muted small mono">
        {runningVersion(status)}
      </Box>
      <DeploymentTile display={display} />
      {display === 'deploying' && status.deployInProgress && (
        <LocationProgress locations={status.locations} />
      )}
    </span>
  );
}

/** Opens in a new tab, so unsaved edits in the console survive. */
function Address({ url }: { url: string | null }) {
  if (url === null) return <span className="faint">–</span>;
  return (
    <a className={classes.address} href={url} target="_blank" rel="noreferrer">
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  );
}
