/**
 * Says what a deploy or rollback will change in the environment, and does it. What the user saw running there is sent
 * along, so that a deploy of somebody else's in between is a conflict, shown with both versions.
 */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { toast } from 'sonner';
import type { Artifact, EnvironmentStatus } from '#contracts/artifacts';
import { DeployConflict } from './deploy-conflict.tsx';
import { displayOf } from './deployment-display.ts';
import { DiffList } from './diff-list.tsx';
import { DiffProblem } from './diff-problem.tsx';
import { DiffSkeleton } from './diff-skeleton.tsx';
import { countsOf, countWords } from './group-diff.ts';
import { useDeploy } from './mutations.ts';
import { deployDiffQuery, deploymentStatusQuery } from './queries.ts';
import { moveOf } from './version-move.ts';
import classes from './versions.module.css';

export interface DeployDialogProps {
  readonly orgId: string;
  readonly version: Artifact;
  /** As it stood when the user chose it. */
  readonly chosen: EnvironmentStatus;
  readonly onClose: () => void;
}

export function DeployDialog({ orgId, version, chosen, onClose }: DeployDialogProps) {
  const { environmentId, environmentName } = chosen;
  const diff = useQuery(deployDiffQuery(orgId, environmentId, version.artifactId));
  const statuses = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  const deploy = useDeploy(orgId);

  // What the diff was made against is what the user has seen; without a diff, what the table said.
  const runningId = diff.data === undefined ? chosen.artifactId : diff.data.fromArtifactId;
  const runningNumber = diff.data === undefined ? chosen.artifactNumber : diff.data.fromArtifactNumber;
  const { isRollback, label } = moveOf(version.artifactNumber, runningNumber, environmentName);
  const isSame = runningId === version.artifactId;
  const now = statuses?.find((status) => status.environmentId === environmentId);
  const isUpdating = now !== undefined && displayOf(now) === 'deploying';

  const submit = () =>
    deploy.mutate(
      { envId: environmentId, artifactId: version.artifactId, fromArtifactId: runningId },
      {
        onSuccess: () => {
          toast.info(
            isRollback
              ? `Rolling back ${environmentName} to version ${version.artifactNumber}`
              : `Deploying version ${version.artifactNumber} to ${environmentName}`,
          );
          onClose();
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={label} size={720} closeOnEscape={!deploy.isPending}>
      <div className={classes.dialog}>
        <DeployConflict error={deploy.error} environmentName={environmentName} />
        <Text c="dimmed">{consequences(environmentName, version.artifactNumber, runningNumber)}</Text>
        <div className={classes.dialogDiff}>
          {diff.error !== null && diff.data === undefined ? (
            <DiffProblem error={diff.error} onRetry={() => void diff.refetch()} />
          ) : diff.data === undefined ? (
            <DiffSkeleton groups={2} />
          ) : diff.data.items.length === 0 ? (
            <p className={classes.same}>
              {isSame ? `${environmentName} runs this version already.` : 'No Changes'}
            </p>
          ) : (
            <>
              <Text mb={12}>
                <strong>{countWords(countsOf(diff.data.items.map((item) => ({ item }))))}</strong>
                {` in ${environmentName}:`}
              </Text>
              <DiffList key={diff.data.fromArtifactId} items={diff.data.items} />
            </>
          )}
        </div>
      </div>
      <Group justify="flex-end" gap={8} mt={20}>
        {isUpdating && <Text c="dimmed" size="sm" mr="auto">{`${environmentName} is still updating.`}</Text>}
        <Button variant="default" onClick={onClose} disabled={deploy.isPending}>
          Cancel
        </Button>
        <Button
          loading={deploy.isPending}
          disabled={diff.isFetching || isUpdating || isSame}
          onClick={submit}
        >
          {label}
        </Button>
      </Group>
    </Modal>
  );
}

function consequences(name: string, chosen: number, running: number | null): string {
  if (running === null) {
    return `${name} runs nothing yet. Its access checks are answered by version ${chosen} within five seconds.`;
  }
  const { isRollback } = moveOf(chosen, running, name);
  return isRollback
    ? `${name} runs version ${running}. Within five seconds its access checks are answered as version ${chosen} did; version ${running} stays and can be deployed again.`
    : `${name} runs version ${running}. Its access checks are answered by version ${chosen} within five seconds; version ${running} stays and can be rolled back to.`;
}
