/** What the lanes of releases show: environments by what they run, and how far behind that is. */
import type { Artifact, EnvironmentStatus } from '#contracts/console/artifacts';
import { counted } from '#web/ui/format.ts';

/** With more environments, those that run the same version share a lane. */
export const MAX_LANES = 8;

/** Versions on the axis. */
const MAX_SHOWN = 12;

type Numbered = Pick<Artifact, 'artifactNumber'>;

export interface Lane {
  readonly key: string;
  readonly first: EnvironmentStatus;
  readonly environments: readonly EnvironmentStatus[];
}

/** The preview environment and those that are updating have lanes of their own. Otherwise in the environments' order. */
export function lanesOf(statuses: readonly EnvironmentStatus[]): Lane[] {
  const isApart = (status: EnvironmentStatus) =>
    statuses.length <= MAX_LANES || status.environmentType === 'preview' || status.deployInProgress;
  const keyOf = (status: EnvironmentStatus) =>
    isApart(status) ? status.environmentId : `runs ${status.artifactId ?? 'nothing'}`;
  return [...Map.groupBy(statuses, keyOf)].flatMap(([key, environments]) => {
    const [first] = environments;
    return first === undefined ? [] : [{ key, first, environments }];
  });
}

/** The newest versions, oldest first. @param versions newest first */
export function shownVersions<Version>(versions: readonly Version[]): Version[] {
  return versions.slice(0, MAX_SHOWN).reverse();
}

/** How far along the axis the environment is; -1: it runs nothing, or what is older than the axis. @param shown oldest first */
export function placeOf(
  { artifactNumber, artifactId, environmentType }: EnvironmentStatus,
  shown: readonly Numbered[],
): number {
  // The preview environment runs all that the versions have, and what is no version yet.
  if (environmentType === 'preview') return artifactId === null ? -1 : shown.length - 1;
  return shown.findLastIndex(
    (version) => artifactNumber !== null && version.artifactNumber <= artifactNumber,
  );
}

/** @param versions newest first */
export function behindLabel(
  { artifactNumber }: Pick<EnvironmentStatus, 'artifactNumber'>,
  versions: readonly Numbered[],
): { readonly text: string; readonly isBehind: boolean } {
  const newest = versions[0]?.artifactNumber;
  if (newest === undefined) return { text: 'No version yet', isBehind: false };
  if (artifactNumber === null) return { text: 'Nothing deployed', isBehind: false };
  const behind = versions.filter((version) => version.artifactNumber > artifactNumber).length;
  return behind === 0
    ? { text: 'Newest version', isBehind: false }
    : { text: `${counted(behind, 'version')} behind`, isBehind: true };
}
