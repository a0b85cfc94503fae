/**
 * The workspace's state in the top bar: the preview environment's tile, and the version that it runs. Opens a popover with the
 * changes, whose code and data load on opening.
 */
import { Loader, Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { displayLabel, displayOf } from '#web/domains/environments/deployments/deployment-display.ts';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { DeployPart, useMove } from '#web/domains/environments/versions/deploy-part.tsx';
import { useOrganisation } from '#web/session/organisation.tsx';
import { codeApart } from '#web/ui/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/optional-part.tsx';
import classes from './header.module.css';

const workspacePanel = codeApart(
  async () => (await import('#web/domains/environments/versions/workspace-panel.tsx')).WorkspacePanel,
);
export function WorkspaceChip() {
  const { orgId } = useOrganisation();
  const { data } = useQuery(deploymentStatusQuery(orgId));
  const title = useId();
  const [isOpen, setOpen] = useState(false);
  const [move, setMove] = useMove(orgId);
  const preview = data?.environments.find(({ environmentType }) => environmentType === 'preview');
  if (preview === undefined || orgId === null) return null;
  const display = displayOf(preview);
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width="min(420px, 100vw - 16px)"
        trapFocus
      >
        <Popover.Target>
          <UnstyledButton className={classes.status} onClick={() => setOpen(!isOpen)}>
            <span role="img" aria-label={displayLabel(preview.environmentName, display)} className="centre">
              {display === 'deploying' ? (
                <Loader size={12} aria-hidden />
              ) : (
                <span className={`square-tile ${classes.statusTile}`} data-state={display} />
              )}
            </span>
            <span className="medium figures">{labelOf(preview)}</span>
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={0} aria-labelledby={title}>
          <span id={title} className="visually-hidden">
            Workspace
          </span>
          <OptionalPart
            code={workspacePanel}
            loading={<Loader size={16} m={24} aria-label="Loading" />}
            props={{
              orgId,
              onLeave: () => setOpen(false),
              onDeploy: (version, chosen) => {
                setOpen(false);
                setMove({ version, chosen });
              },
            }}
            onFailure={() => setOpen(false)}
          />
        </Popover.Dropdown>
      </Popover>
      <DeployPart orgId={orgId} move={move} onClose={() => setMove(null)} />
    </>
  );
}

/** 'v2' if the workspace is a version. */
function labelOf({ artifactId, artifactNumber }: EnvironmentStatus): string {
  if (artifactNumber !== null) return `v${artifactNumber}`;
  return artifactId === null ? 'Workspace' : 'Changes';
}
