/**
 * Previews what a deployment or rollback changes in the environment, and starts it. The request names the version that
 * the user saw running, so a concurrent deployment becomes a conflict instead of being overwritten.
 */
import { Alert, Box, Button, Checkbox, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Artifact, type EnvironmentStatus, environmentStatusSchema } from '#contracts/console/artifacts';
import { MAX_KEPT_CUSTOMERS } from '#contracts/console/impact';
import { ApiError } from '#web/api/api-error.ts';
import { OtherPerson } from '#web/session/member-name.tsx';
import { useOrgId } from '#web/session/organisation.tsx';
import { DialogFooter } from '#web/ui/dialogs/dialog-footer.tsx';
import { counted, sentence } from '#web/ui/format.ts';
import { versionTestsQuery, warnOfFailedTests } from '../../deployments/failed-tests.ts';
import { useDeploy } from '../../deployments/mutations.ts';
import { deploymentStatusQuery } from '../../deployments/queries.ts';
import { DiffList } from '../diff/diff-list.tsx';
import { DiffProblem } from '../diff/diff-problem.tsx';
import { DiffSkeleton } from '../diff/diff-skeleton.tsx';
import { countsLabel, countsOf } from '../diff/group-diff.ts';
import { ImpactSection } from '../impact/impact-section.tsx';
import { KEPT_DAYS, useKeepValues } from '../mutations.ts';
import { environmentDiffQuery, impactQuery } from '../queries.ts';
import { moveOf, mustWait } from '../version-move.ts';
import { FailedTests, testsLine } from './version-tests.tsx';

export interface DeployDialogProps {
  readonly version: Artifact;
  /** The status when the user opened the dialog. */
  readonly chosen: EnvironmentStatus;
  readonly onClose: () => void;
}

export function DeployDialog({ version, chosen, onClose }: DeployDialogProps) {
  const orgId = useOrgId();
  const { environmentId, environmentName } = chosen;
  const diff = useQuery(environmentDiffQuery(orgId, environmentId, version.artifactId));
  const statuses = useQuery(deploymentStatusQuery(orgId)).data?.environments;
  const deploy = useDeploy(orgId);
  const keep = useKeepValues(orgId);
  const [isKeeping, setKeeping] = useState(false);

  // The user sees the diff's base version. Without a diff, the user sees the table's.
  const runningId = diff.data === undefined ? chosen.artifactId : diff.data.fromArtifactId;
  const runningNumber = diff.data === undefined ? chosen.artifactNumber : diff.data.fromArtifactNumber;
  const { label } = moveOf(version.artifactNumber, runningNumber, environmentName);
  const isSame = runningId === version.artifactId;
  const now = statuses?.find((status) => status.environmentId === environmentId);
  const isUpdating = now !== undefined && mustWait(version, now);

  const tests = useQuery(versionTestsQuery(orgId, isSame ? null : version.artifactId));
  const testsText = isSame ? null : testsLine(tests.data, tests.isLoading);

  /** Failing tests are named once more: they were no reason not to deploy. */
  const close = () => {
    warnOfFailedTests(environmentName, version.artifactNumber, tests.data);
    onClose();
  };
  const impact = useQuery({ ...impactQuery(orgId, environmentId, version.artifactId), enabled: !isSame });
  const losing = impact.data?.customersThatLose ?? 0;
  const isBusy = deploy.isPending || keep.isPending;

  /** Values are kept first, so that no check falls between. */
  const submit = () => {
    const kept = { environmentId, toArtifactId: version.artifactId };
    if (isKeeping && losing > 0) keep.mutate(kept, { onSuccess: move });
    else move();
  };
  const move = () =>
    deploy.mutate(
      {
        environmentId,
        environmentName,
        version,
        from:
          runningId === null || runningNumber === null
            ? null
            : { artifactId: runningId, artifactNumber: runningNumber },
      },
      { onSuccess: close },
    );
  return (
    <Modal opened onClose={onClose} title={label} size={720} closeOnEscape={!isBusy}>
      <Stack gap={16}>
        <DeployConflict error={deploy.error} environmentName={environmentName} />
        <Text c="dimmed">{consequences(environmentName, version.artifactNumber, runningNumber)}</Text>
        <FailedTests
          tests={tests.data}
          number={version.artifactNumber}
          running={{ id: runningId, number: runningNumber }}
        />
        <Box mah="48vh" style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}>
          {diff.error !== null && diff.data === undefined ? (
            <DiffProblem error={diff.error} onRetry={diff.refetch} />
          ) : diff.data === undefined ? (
            <DiffSkeleton groups={2} />
          ) : diff.data.items.length === 0 ? (
            <Box component="p" bdrs="lg" bd="1px solid var(--line)" className="note">
              {isSame ? sentence`${environmentName} runs this version already.` : 'No Changes'}
            </Box>
          ) : (
            <>
              {runningId !== null && (
                <Box mb={16}>
                  <ImpactSection environmentId={environmentId} toArtifactId={version.artifactId} />
                </Box>
              )}
              <Text mb={12}>
                <strong>{countsLabel(countsOf(diff.data.items.map((item) => ({ item }))))}</strong>
                {sentence` in ${environmentName}:`}
              </Text>
              <DiffList key={diff.data.fromArtifactId} items={diff.data.items} />
            </>
          )}
        </Box>
        {losing > 0 && (
          <Checkbox
            checked={isKeeping}
            onChange={({ currentTarget }) => setKeeping(currentTarget.checked)}
            disabled={isBusy || losing > MAX_KEPT_CUSTOMERS}
            label={`Keep current values for the ${counted(losing, 'customer')} losing access`}
            description={
              losing > MAX_KEPT_CUSTOMERS
                ? `Values can be kept for up to ${MAX_KEPT_CUSTOMERS} customers.`
                : `Creates overrides in ${environmentName} that end in ${KEPT_DAYS} days.`
            }
          />
        )}
      </Stack>
      <DialogFooter
        {...((isUpdating || testsText !== null) && {
          text: (
            <span className="muted small" role="status">
              {isUpdating ? sentence`${environmentName} is still updating.` : testsText}
            </span>
          ),
        })}
      >
        <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
          Cancel
        </Button>
        <Button loading={isBusy} disabled={diff.isFetching || isUpdating || isSame} onClick={submit}>
          {label}
        </Button>
      </DialogFooter>
    </Modal>
  );
}

/** Another deployment happened after the user opened the dialog, so the server rejected this one. */
function DeployConflict({ error, environmentName }: { error: Error | null; environmentName: string }) {
  if (!(error instanceof ApiError) || error.errorType !== 'conflict') return null;
  const current = environmentStatusSchema.safeParse(error.current).data;
  const runs = current?.artifactNumber == null ? 'nothing' : `version ${current.artifactNumber}`;
  return (
    <Alert
      color="amber"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={
        <>
          {environmentName} was changed by <OtherPerson userId={error.changedBy} /> in the meantime
        </>
      }
    >
      {sentence`${environmentName} now runs ${runs}. Your version was not deployed. The changes below are up to date.`}
    </Alert>
  );
}

function consequences(name: string, chosen: number, running: number | null): string {
  if (running === null) {
    return sentence`${name} starts running v${chosen} within 5 seconds.`;
  }
  const { isRollback } = moveOf(chosen, running, name);
  return isRollback
    ? sentence`${name} moves from v${running} back to v${chosen} within 5 seconds. You can deploy v${running} again at any time.`
    : sentence`${name} moves from v${running} to v${chosen} within 5 seconds. You can roll back to v${running} at any time.`;
}
