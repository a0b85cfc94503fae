/** Decides whether a deployment is a rollback, and whether a version can be deployed, deleted or created. */
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { sentence } from '#web/ui/format.ts';
import { displayOf } from '../deployments/deployment-display.ts';
import { mayUndo } from '../deployments/deployment-progress.ts';

type Version = Pick<Artifact, 'artifactId' | 'artifactNumber'>;
type Running = Pick<
  EnvironmentStatus,
  | 'artifactId'
  | 'artifactNumber'
  | 'environmentName'
  | 'environmentType'
  | 'isHead'
  | 'deployInProgress'
  | 'locations'
>;

export interface VersionMove {
  readonly isRollback: boolean;
  /** 'Deploy version 3 to Production' or 'Roll back Production to version 2'. Title and button use the same label. */
  readonly label: string;
  /** 'Deploy v3 to Production', for a button that opens the dialog. */
  readonly shortLabel: string;
}

/** A rollback deploys a lower number than the running one. `runningNumber` is null if nothing runs. */
export function moveOf(
  chosenNumber: number,
  runningNumber: number | null,
  environmentName: string,
): VersionMove {
  const isRollback = runningNumber !== null && runningNumber > chosenNumber;
  const labelOf = (version: string) =>
    isRollback
      ? sentence`Roll back ${environmentName} to ${version}`
      : sentence`Deploy ${version} to ${environmentName}`;
  return { isRollback, label: labelOf(`version ${chosenNumber}`), shortLabel: labelOf(`v${chosenNumber}`) };
}

/**
 * What a rollback returns to: the version that ran before, if it is older and still there, otherwise the next older one. Undefined if
 * there is no older version.
 * @param versions newest first
 */
export function predecessorOf<Any extends Version>(
  { artifactNumber, previousArtifactId }: Pick<EnvironmentStatus, 'artifactNumber' | 'previousArtifactId'>,
  versions: readonly Any[],
): Any | undefined {
  const older = versions.filter((version) => version.artifactNumber < (artifactNumber ?? 0));
  return older.find(({ artifactId }) => artifactId === previousArtifactId) ?? older[0];
}

/** The reason why the version cannot be deployed there now, or null. */
export function reasonAgainstMove(version: Version, status: Running): string | null {
  if (mustWait(version, status)) return 'Still updating';
  const { artifactId } = version;
  return status.artifactId === artifactId ? 'Runs this version' : null;
}

/** One deployment at a time; but one that a region has not confirmed in time can be rolled back. */
export function mustWait({ artifactNumber }: Version, status: Running): boolean {
  if (displayOf(status) !== 'deploying') return false;
  return !(mayUndo(status) && artifactNumber < (status.artifactNumber ?? 0));
}

/** The reason why the version cannot be deleted, or null. The preview environment does not block a deletion. */
export function reasonAgainstDelete(
  { artifactId }: Version,
  statuses: readonly Pick<EnvironmentStatus, 'artifactId' | 'environmentName' | 'environmentType'>[],
): string | null {
  const names = statuses
    .filter((status) => status.environmentType === 'deployable' && status.artifactId === artifactId)
    .map(({ environmentName }) => environmentName);
  return names.length === 0 ? null : sentence`Deployed to ${names.join(', ')}`;
}

interface NewVersionState {
  /** Number of items in the latest diff. Undefined while it loads. */
  readonly itemCount: number | undefined;
  /** The number of the version that equals the workspace, or null. */
  readonly headNumber: number | null;
  readonly isLoading: boolean;
}

/** The state of the 'Create New Version' button: label, enabled or not, and the reason if not. */
export function newVersionButton({ itemCount, headNumber, isLoading }: NewVersionState) {
  const label = itemCount === 0 ? 'Workspace Up-to-Date' : 'Create New Version';
  if (isLoading || itemCount === undefined || itemCount === 0)
    return { label, isEnabled: false, reason: null };
  if (headNumber !== null) {
    return { label, isEnabled: false, reason: `The workspace is version ${headNumber} already` };
  }
  return { label, isEnabled: true, reason: null };
}
