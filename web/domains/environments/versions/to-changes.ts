/** What is to be reviewed before a deployment: the workspace's changes, or what its version changes in an environment that is behind. */
import type { Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import { paths } from '#web/paths.ts';

/** The path of that difference: from what the environment that lags most runs, if the workspace is a version. */
export function toChanges(orgId: string, diff: Diff, deployable: readonly EnvironmentStatus[]): string {
  const number = diff.fromArtifactNumber;
  const [first] = laggingOf(number, deployable);
  return diff.items.length > 0 || number === null || first === undefined
    ? paths.environments(orgId, 'changes')
    : toComparison(orgId, number, first);
}

/** The path of what a version changes in an environment. */
export const toComparison = (
  orgId: string,
  number: number,
  { environmentId }: Pick<EnvironmentStatus, 'environmentId'>,
): string => `${paths.environments(orgId, 'changes')}?version=${number}&environment=${environmentId}`;

/**
 * The environments that do not run the newest version: live ones first, then as far as they lag. What runs nothing lags most.
 * @param newest the newest version's number. Null: there is none, and nothing lags
 */
export function laggingOf(
  newest: number | null,
  deployable: readonly EnvironmentStatus[],
): EnvironmentStatus[] {
  if (newest === null) return [];
  return deployable
    .filter(({ artifactNumber }) => artifactNumber !== newest)
    .sort(
      (one, other) =>
        Number(other.isLive) - Number(one.isLive) ||
        Number(one.artifactNumber) - Number(other.artifactNumber),
    );
}
