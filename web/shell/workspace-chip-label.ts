/** What the top bar's chip says of the workspace: a dash, 'v3', '3 changes' or '2 behind'. */
import type { Diff, EnvironmentStatus } from '#contracts/console/artifacts';
import { counted } from '#web/ui/format.ts';

export interface ChipLabel {
  readonly text: string;
  /** `empty`: there is nothing to deploy. `behind`: an environment does not run the newest version. */
  readonly tone: 'empty' | 'behind' | 'current';
}

type Status = Pick<EnvironmentStatus, 'environmentType' | 'artifactId' | 'artifactNumber'>;

/** The workspace is a version, so it has no changes to count. */
export const isVersion = (preview: Pick<Status, 'artifactNumber'>): boolean =>
  preview.artifactNumber !== null;

/** @param diff the workspace against its newest version. Not used if the workspace is a version; undefined until it is loaded */
export function chipLabel(
  preview: Status,
  statuses: readonly Status[],
  diff: Pick<Diff, 'fromArtifactNumber' | 'items'> | undefined,
): ChipLabel {
  const newest = preview.artifactNumber ?? diff?.fromArtifactNumber ?? null;
  const changes = isVersion(preview) ? 0 : (diff?.items.length ?? 0);
  if (preview.artifactId === null || (newest === null && changes === 0)) return { text: '–', tone: 'empty' };
  const behind =
    newest === null
      ? 0
      : statuses.filter(
          ({ environmentType, artifactNumber }) =>
            environmentType === 'deployable' && artifactNumber !== newest,
        ).length;
  const tone = behind > 0 ? 'behind' : 'current';
  if (changes > 0) return { text: counted(changes, 'change'), tone };
  return { text: behind > 0 ? `${behind} behind` : `v${newest}`, tone };
}
