/** The table of versions, newest first, with their environments and the actions deploy, roll back and delete. */

import { Box, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { failedRead } from '#web/api/failed-read.ts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { deploymentStatusQuery } from '../../deployments/queries.ts';
import { DeployDialog } from '../deploy/deploy-dialog.tsx';
import { DeployMenu } from '../deploy/deploy-menu.tsx';
import type { Move } from '../deploy/deploy-part.tsx';
import { DeployedTo } from '../deploy/deployed-to.tsx';
import { ReleaseLanes } from '../deploy/release-lanes.tsx';
import { artifactsQuery } from '../queries.ts';
import { reasonAgainstDelete } from '../version-move.ts';
import classes from '../versions.module.css';
import { DeleteVersionDialog } from './delete-version-dialog.tsx';
import { DownloadItems } from './download-items.tsx';
import { VersionCreated } from './version-created.tsx';

export function VersionsPanel() {
  const orgId = useOrgId();
  const versions = useQuery(artifactsQuery(orgId));
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const [move, setMove] = useState<Move | null>(null);
  const [doomed, setDoomed] = useState<Artifact | null>(null);
  const statuses = deployments.data?.environments;
  const deployable = statuses?.filter(({ environmentType }) => environmentType === 'deployable');
  const failed = failedRead(versions, deployments);
  if (failed !== null) return <ErrorState title="The versions could not be loaded" {...failed} />;
  return (
    <div className={`column gap-24 ${classes.panel}`}>
      <ReleaseLanes statuses={statuses} versions={versions.data} onMove={setMove} />
      {versions.data?.length === 0 ? (
        <NoVersions />
      ) : (
        <ListTable
          label="versions"
          // Waits for both queries, so that hundreds of rows render once.
          rows={statuses === undefined ? undefined : versions.data}
          rowKey={({ artifactId }) => artifactId}
          rowTo={({ artifactNumber }) => `${paths.environments(orgId, 'changes')}?version=${artifactNumber}`}
          name={{
            header: 'Version',
            cell: ({ artifactNumber }) => `Version ${artifactNumber}`,
            detail: ({ note }) => note,
          }}
          columns={[
            {
              header: 'Created',
              width: '22%',
              isSecondary: true,
              cell: (version) => <VersionCreated version={version} />,
            },
            {
              header: 'Deployed to',
              cell: (version) => <DeployedTo version={version} statuses={statuses} />,
            },
            {
              header: 'Deploy',
              width: 120,
              cell: (version) => (
                <DeployMenu
                  version={version}
                  statuses={deployable}
                  onChoose={(chosen) => setMove({ version, chosen })}
                />
              ),
            },
          ]}
          actions={(version) => (
            <RowMenu name={`version ${version.artifactNumber}`}>
              <DownloadItems version={version} />
              <DeleteItem version={version} statuses={statuses} onChoose={() => setDoomed(version)} />
            </RowMenu>
          )}
        />
      )}
      {move !== null && <DeployDialog {...move} onClose={() => setMove(null)} />}
      <DeleteVersionDialog version={doomed} onClose={() => setDoomed(null)} />
    </div>
  );
}

interface DeleteItemProps {
  readonly version: Artifact;
  readonly statuses: readonly EnvironmentStatus[] | undefined;
  readonly onChoose: () => void;
}

function DeleteItem({ version, statuses, onChoose }: DeleteItemProps) {
  const reason = statuses === undefined ? 'Loading...' : reasonAgainstDelete(version, statuses);
  return (
    <RemoveItem disabled={reason !== null} onClick={onChoose}>
      <Box
        component="span"
        display="block"
        style={{ overflowWrap: 'anywhere' }}
      >{`Delete version ${version.artifactNumber}`}</Box>
      {reason !== null && (
        <Box component="span" c="dimmed" fz="xs" display="block">
          {reason}
        </Box>
      )}
    </RemoveItem>
  );
}

function NoVersions() {
  const orgId = useOrgId();
  return (
    <EmptyState
      title="You have not created any versions yet"
      example="v1 → Staging → Production"
      docs={<Link to={`${paths.docs('concepts')}#version`}>What versions and environments are</Link>}
      action={
        <Button component={Link} to={paths.environments(orgId, 'changes')}>
          See what changed
        </Button>
      }
    >
      A version freezes your current features and plans. Deploy it to an environment when you are ready, and
      roll back at any time.
    </EmptyState>
  );
}
