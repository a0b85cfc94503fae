/** Deploy menu of one version: an entry per environment, disabled with a reason where a deployment is not possible. */
import { Box, Button, Menu } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconRocket } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { moveOf, reasonAgainstMove } from '../version-move.ts';
import classes from '../versions.module.css';

export interface DeployMenuProps {
  readonly version: Artifact;
  /** Deployable environments. Undefined while loading. */
  readonly statuses: readonly EnvironmentStatus[] | undefined;
  readonly onChoose: (status: EnvironmentStatus) => void;
}

export function DeployMenu({ version, statuses, onChoose }: DeployMenuProps) {
  const orgId = useOrgId();
  const number = version.artifactNumber;
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`Deploy version ${number}`}
          disabled={statuses === undefined}
          classNames={{ root: classes.deploy }}
        >
          Deploy
        </Button>
      </Menu.Target>
      {/* There can be dozens of environments. */}
      <Menu.Dropdown mah="min(420px, 70vh)" style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}>
        {statuses?.map((status) => {
          const { isRollback, label } = moveOf(number, status.artifactNumber, status.environmentName);
          const reason = reasonAgainstMove(version, status);
          const Icon = isRollback ? IconArrowBackUp : IconRocket;
          return (
            <Menu.Item
              key={status.environmentId}
              disabled={reason !== null}
              leftSection={<Icon size={16} aria-hidden />}
              onClick={() => onChoose(status)}
            >
              <Box component="span" display="block" style={{ overflowWrap: 'anywhere' }}>
                {label}
              </Box>
              <Box component="span" c="dimmed" fz="xs" display="block">
                {reason ?? runs(status)}
              </Box>
            </Menu.Item>
          );
        })}
        {statuses?.length === 0 && (
          <>
            <Menu.Label>
              Preview follows the workspace by itself. Versions are deployed to test and live environments.
            </Menu.Label>
            <Menu.Item component={Link} to={paths.environments(orgId, 'environments')}>
              Add a New Environment
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function runs({ artifactNumber }: EnvironmentStatus): string {
  return artifactNumber === null ? 'Runs nothing yet' : `Runs version ${artifactNumber}`;
}
