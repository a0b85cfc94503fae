/** What is to be reviewed before a deployment: the workspace's changes, or what its version changes in an environment that is behind. */
import type { Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';

/** The path of that difference: from what the first environment behind runs, if the workspace is a version. */
export function toChanges(orgId: string, diff: Diff, deployable: readonly EnvironmentStatus[]): string {
  const number = diff.fromArtifactNumber;
  const changes = paths.environments(orgId, 'changes');
  const first = firstBehind(diff, deployable);
  if (diff.items.length > 0 || number === null || first === undefined) return changes;
  return `${changes}?version=${number}&environment=${first.environmentId}`;
}

/** The newest version has all changes of the workspace unless there are items. Undefined if there is no version, or all run it. */
export function firstBehind(
  { fromArtifactNumber: number }: Diff,
  deployable: readonly EnvironmentStatus[],
): EnvironmentStatus | undefined {
  return number === null ? undefined : deployable.find(({ artifactNumber }) => artifactNumber !== number);
}
