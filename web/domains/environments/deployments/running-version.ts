/** The short label of an environment's running version. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';

type Running = Pick<EnvironmentStatus, 'artifactId' | 'artifactNumber' | 'environmentType'>;

/** 'v3'; 'workspace' when the preview environment runs unversioned changes; a dash when nothing runs. */
export function runningVersion({ artifactId, artifactNumber, environmentType }: Running): string {
  if (artifactNumber !== null) return `v${artifactNumber}`;
  return environmentType === 'preview' && artifactId !== null ? 'workspace' : '–';
}
