/** Returns an environment to the version before the one that it runs. The dialog shows the impact, as for any deployment. */
import { Button, type ButtonProps } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { deploymentStatusQuery } from '../../deployments/queries.ts';
import { artifactsQuery } from '../queries.ts';
import { predecessorOf, reasonAgainstMove } from '../version-move.ts';
import { DeployPart, type Move, useMove } from './deploy-part.tsx';

export interface RollBackButtonProps extends Pick<ButtonProps, 'size'> {
  readonly status: EnvironmentStatus;
  /** Newest first. */
  readonly versions: readonly Artifact[];
  readonly onMove: (move: Move) => void;
}

/** Renders nothing where there is no earlier version. */
export function RollBackButton({ status, versions, onMove, size }: RollBackButtonProps) {
  const version = predecessorOf(status, versions);
  if (version === undefined) return null;
  const label = `Roll back to v${version.artifactNumber}`;
  return (
    <Button
      variant="default"
      {...(size !== undefined && { size })}
      leftSection={<IconArrowBackUp size={15} aria-hidden />}
      disabled={reasonAgainstMove(version, status) !== null}
      aria-label={sentence`${label} in ${status.environmentName}`}
      onClick={() => onMove({ version, chosen: status })}
    >
      {label}
    </Button>
  );
}

/** The button with its dialog, for an environment's page. */
export function RollBack({ environmentId }: { readonly environmentId: string }) {
  const orgId = useOrgId();
  const [move, setMove] = useMove(orgId);
  const versions = useQuery(artifactsQuery(orgId)).data;
  const statuses = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  const status = statuses?.find((each) => each.environmentId === environmentId);
  if (status === undefined || versions === undefined) return null;
  return (
    <>
      <RollBackButton status={status} versions={versions} onMove={setMove} />
      <DeployPart orgId={orgId} move={move} onClose={() => setMove(null)} />
    </>
  );
}
