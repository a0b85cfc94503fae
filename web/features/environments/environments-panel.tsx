/** Every environment: what it is for, what it runs, and who deployed that when. */
import { useQuery } from '@tanstack/react-query';
import type { EnvironmentStatus } from '#contracts/artifacts';
import type { Environment } from '#contracts/environments';
import { paths } from '../../paths.ts';
import { Age } from '../../ui/age.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListTable } from '../../ui/list-table.tsx';
import { displayOf } from './deployment-display.ts';
import { DeploymentTile } from './deployment-tile.tsx';
import { EnvironmentTypeBadge } from './environment-type-badge.tsx';
import classes from './environments.module.css';
import { LocationProgress } from './location-progress.tsx';
import { MemberName } from './member-name.tsx';
import { deploymentStatusQuery, environmentsQuery } from './queries.ts';
import { runningVersion } from './running-version.ts';

export function EnvironmentsPanel({ orgId }: { orgId: string }) {
  const environments = useQuery(environmentsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const failed =
    (environments.data === undefined ? environments.error : null) ??
    (deployments.data === undefined ? deployments.error : null);
  if (failed !== null) {
    return (
      <ErrorState
        title="The environments could not be loaded"
        error={failed}
        onRetry={() => {
          void environments.refetch();
          void deployments.refetch();
        }}
      />
    );
  }
  const statuses = new Map(deployments.data?.environments.map((status) => [status.environmentId, status]));
  return (
    <div className={classes.table}>
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
            cell: (environment) => <LastDeployed orgId={orgId} environment={environment} />,
          },
        ]}
      />
    </div>
  );
}

function Deployment({ status }: { status: EnvironmentStatus | undefined }) {
  if (status === undefined) return <span className={classes.faint}>–</span>;
  const display = displayOf(status);
  return (
    <span className={classes.deploymentCell}>
      <span className={classes.version}>{runningVersion(status)}</span>
      <DeploymentTile display={display} />
      {display === 'deploying' && status.deployInProgress && (
        <LocationProgress locations={status.locations} />
      )}
    </span>
  );
}

/** Opens beside the console, so that nothing here is lost. */
function Address({ url }: { url: string | null }) {
  if (url === null) return <span className={classes.faint}>–</span>;
  return (
    <a className={classes.address} href={url} target="_blank" rel="noreferrer">
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  );
}

interface LastDeployedProps {
  readonly orgId: string;
  readonly environment: Pick<Environment, 'lastDeployedAt' | 'lastDeployedByUserId'>;
}

/** The preview deploys itself: nobody is named there. */
export function LastDeployed({ orgId, environment }: LastDeployedProps) {
  const { lastDeployedAt, lastDeployedByUserId } = environment;
  if (lastDeployedAt === null) return <span className={classes.faint}>never</span>;
  return (
    <span>
      <Age at={lastDeployedAt} />
      {lastDeployedByUserId !== null && (
        <>
          {' '}
          <span className={classes.by}>
            by <MemberName orgId={orgId} userId={lastDeployedByUserId} />
          </span>
        </>
      )}
    </span>
  );
}
