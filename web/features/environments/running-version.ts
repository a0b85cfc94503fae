/** What an environment runs, in as few signs as a table has room for. */
import type { EnvironmentStatus } from '#contracts/artifacts';

type Running = Pick<EnvironmentStatus, 'artifactId' | 'artifactNumber' | 'environmentType'>;

/** 'v3'; 'workspace' where the preview runs what is no version yet; a dash where nothing runs. */
export function runningVersion({ artifactId, artifactNumber, environmentType }: Running): string {
  if (artifactNumber !== null) return `v${artifactNumber}`;
  return environmentType === 'preview' && artifactId !== null ? 'workspace' : '–';
}
