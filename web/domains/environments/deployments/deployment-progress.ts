/** How far a deployment has come, and the words for it. Regions are counted as they acknowledge it, never in advance. */
import type { EnvironmentStatus } from '#contracts/console/artifacts';
import { locationName } from '#engine/regions/data-locations';
import { sentence } from '#web/ui/format.ts';

/** A deployment that is followed until every region serves it. */
export interface FollowedDeployment {
  readonly environmentId: string;
  readonly environmentName: string;
  readonly version: DeployedVersion;
  /** The version that ran before; null if none did. */
  readonly from: DeployedVersion | null;
}

export interface DeployedVersion {
  readonly artifactId: string;
  readonly artifactNumber: number;
}

/** How long a region may take before the message names it. */
export const PATIENCE_MS = 10_000;

export type DeploymentProgress =
  /** Regions are still within their time. */
  | { readonly kind: 'deploying'; readonly done: number; readonly total: number }
  /** A region failed, or takes longer than it should. Publishing is repeated. */
  | {
      readonly kind: 'unconfirmed';
      readonly done: number;
      readonly total: number;
      readonly missing: readonly string[];
    }
  | { readonly kind: 'live'; readonly total: number }
  /** Another version was deployed, or the environment was deleted. */
  | { readonly kind: 'superseded' };

type Shown = Pick<EnvironmentStatus, 'artifactId' | 'deployInProgress' | 'locations'>;

/** @param elapsedMs since the deployment was accepted */
export function progressOf(
  status: Shown | undefined,
  artifactId: string,
  elapsedMs: number,
): DeploymentProgress {
  if (status === undefined || status.artifactId !== artifactId) return { kind: 'superseded' };
  const behind = status.locations.filter(({ isUpToDate }) => !isUpToDate);
  const total = status.locations.length;
  const done = total - behind.length;
  if (!status.deployInProgress) return { kind: 'live', total };
  if (!mayUndo(status) && elapsedMs < PATIENCE_MS) return { kind: 'deploying', done, total };
  return { kind: 'unconfirmed', done, total, missing: behind.map(({ location }) => locationName(location)) };
}

/**
 * Whether the version that ran before can be deployed although the deployment is in progress: a region has not confirmed it in
 * time, and that may last.
 */
export function mayUndo({
  deployInProgress,
  locations,
}: Pick<Shown, 'deployInProgress' | 'locations'>): boolean {
  return deployInProgress && locations.some(({ isUpToDate, failedAt }) => !isUpToDate && failedAt !== null);
}

/** '2 of 3 regions'. */
export function regionsLabel(done: number, total: number): string {
  return `${done} of ${total} ${total === 1 ? 'region' : 'regions'}`;
}

export function deploymentMessage(
  { environmentName, version, from }: FollowedDeployment,
  progress: Exclude<DeploymentProgress, { kind: 'superseded' }>,
): { readonly title: string; readonly description: string } {
  const number = version.artifactNumber;
  switch (progress.kind) {
    case 'deploying':
      return {
        title:
          from !== null && from.artifactNumber > number
            ? sentence`Rolling back ${environmentName} to version ${number}`
            : sentence`Deploying version ${number} to ${environmentName}`,
        description: regionsLabel(progress.done, progress.total),
      };
    case 'unconfirmed':
      return {
        title:
          progress.done === 0
            ? `v${number} is not live yet · ${regionsLabel(0, progress.total)}`
            : `v${number} is live in ${regionsLabel(progress.done, progress.total)}`,
        description: `${listed(progress.missing)} not confirmed it yet and may still ${
          from === null ? 'have no version' : `serve v${from.artifactNumber}`
        }. Tessera keeps trying.`,
      };
    case 'live':
      return {
        title: `v${number} is live · ${regionsLabel(progress.total, progress.total)}`,
        description:
          from === null
            ? sentence`${environmentName} runs v${number}.`
            : sentence`${environmentName} moved from v${from.artifactNumber} to v${number}.`,
      };
  }
}

/** 'Africa has', 'Africa and Oceania have'. */
function listed(names: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB').format(names);
  return sentence`${list} ${names.length === 1 ? 'has' : 'have'}`;
}
