/**
 * The workspace's state in the top bar: the preview environment's tile, and how far the environments are from the workspace. Opens a
 * popover with the changes, whose code and data load on opening.
 */
import { Loader, Popover, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { isSettled } from '#web/api/is-settled.ts';
import { displayLabel, displayOf } from '#web/domains/environments/deployments/deployment-display.ts';
import { deploymentStatusQuery } from '#web/domains/environments/deployments/queries.ts';
import { DeployPart, useMove } from '#web/domains/environments/versions/deploy/deploy-part.tsx';
import { lastDiffQuery } from '#web/domains/environments/versions/queries.ts';
import { useOrganisation } from '#web/session/organisation.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import classes from './header.module.css';
import { chipLabel, isVersion } from './workspace-chip-label.ts';

const workspacePanel = codeApart(
  async () => (await import('#web/domains/environments/versions/panels/workspace-panel.tsx')).WorkspacePanel,
);

/** The chip's data. Changes are counted only where there can be any. */
export function useWorkspaceState(orgId: string | null) {
  const deployments = useQuery(deploymentStatusQuery(orgId));
  const statuses = deployments.data?.environments;
  const preview = statuses?.find(({ environmentType }) => environmentType === 'preview');
  const isCounted = orgId !== null && preview !== undefined && !isVersion(preview);
  const diff = useQuery({ ...lastDiffQuery(orgId ?? ''), enabled: isCounted });
  const isKnown = isSettled(deployments) && (!isCounted || isSettled(diff));
  const label = useMemo(
    () => (isKnown && statuses && preview ? chipLabel(preview, statuses, diff.data) : null),
    [isKnown, statuses, preview, diff.data],
  );
  return { isKnown, preview, label };
}

export function WorkspaceChip() {
  const { orgId } = useOrganisation();
  const { preview, ...state } = useWorkspaceState(orgId);
  // The count of changes is not yet known after the first edit of a version.
  const label = useLastValue(state.label);
  const title = useId();
  const [isOpen, setOpen] = useState(false);
  const [move, setMove] = useMove(orgId);
  if (preview === undefined || label === null || orgId === null) return null;
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
          <UnstyledButton className={classes.status} data-tone={label.tone} onClick={() => setOpen(!isOpen)}>
            <span role="img" aria-label={displayLabel(preview.environmentName, display)} className="centre">
              {display === 'deploying' ? (
                <Loader size={12} aria-hidden />
              ) : (
                <span className={`square-tile ${classes.statusTile}`} data-state={display} />
              )}
            </span>
            <span className={`medium figures ${classes.statusText}`}>{label.text}</span>
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
