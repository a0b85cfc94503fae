/** What deploying a version to an environment is called: a deploy, or a rollback (specification, section 4). */
import type { Artifact, EnvironmentStatus } from '#contracts/artifacts';
import { displayOf } from './deployment-display.ts';

type Version = Pick<Artifact, 'artifactId' | 'artifactNumber'>;
type Running = Pick<
  EnvironmentStatus,
  'artifactId' | 'artifactNumber' | 'environmentName' | 'environmentType' | 'isHead' | 'deployInProgress'
>;

export interface VersionMove {
  readonly isRollback: boolean;
  /** 'Deploy version 3 to Production', 'Roll back Production to version 2': for title and button alike. */
  readonly label: string;
}

/** A rollback where what runs has the higher number; `runningNumber` is null where nothing runs. */
export function moveOf(
  chosenNumber: number,
  runningNumber: number | null,
  environmentName: string,
): VersionMove {
  const isRollback = runningNumber !== null && runningNumber > chosenNumber;
  const label = isRollback
    ? `Roll back ${environmentName} to version ${chosenNumber}`
    : `Deploy version ${chosenNumber} to ${environmentName}`;
  return { isRollback, label };
}

/** Why the version cannot be deployed there now; null where it can. */
export function reasonAgainstMove({ artifactId }: Version, status: Running): string | null {
  if (displayOf(status) === 'deploying') return 'Still updating';
  return status.artifactId === artifactId ? 'Runs this version' : null;
}

/** Why the version cannot be deleted; null where it can. Preview keeps what it runs, so only the others count. */
export function reasonAgainstDelete(
  { artifactId }: Version,
  statuses: readonly Pick<EnvironmentStatus, 'artifactId' | 'environmentName' | 'environmentType'>[],
): string | null {
  const names = statuses
    .filter((status) => status.environmentType === 'deployable' && status.artifactId === artifactId)
    .map(({ environmentName }) => environmentName);
  return names.length === 0 ? null : `Deployed to ${names.join(', ')}`;
}

interface NewVersionState {
  /** Of the latest diff; undefined while it loads. */
  readonly itemCount: number | undefined;
  /** The number under which the workspace as it stands is a version already. */
  readonly headNumber: number | null;
  readonly isLoading: boolean;
}

/** The button that freezes the workspace: its words, whether it can be pressed, and why not. */
export function newVersionButton({ itemCount, headNumber, isLoading }: NewVersionState) {
  const label = itemCount === 0 ? 'Workspace Up-to-Date' : 'Create New Version';
  if (isLoading || itemCount === undefined || itemCount === 0)
    return { label, isEnabled: false, reason: null };
  if (headNumber !== null) {
    return { label, isEnabled: false, reason: `The workspace is version ${headNumber} already` };
  }
  return { label, isEnabled: true, reason: null };
}
