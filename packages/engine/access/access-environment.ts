/** An environment as checks use it. */
import type { EnvironmentSnapshot } from '#contracts/internal/snapshot';
import type { LoadableCode } from '#contracts/internal/workflow-run';
import type { AppliedFactsCache } from '../entitlements/applied-facts-cache.ts';
import type { PreparedArtifact } from '../entitlements/prepared-artifact.ts';
import { freshnessOf } from '../freshness.ts';

export interface AccessEnvironment {
  readonly snapshot: EnvironmentSnapshot;
  /** Null where nothing is deployed. */
  readonly prepared: PreparedArtifact | null;
  /** Null without workflows, and in snapshots of an earlier release. */
  readonly workflowCode: LoadableCode | null;
  readonly featureSlugs: readonly string[];
  readonly appliedFacts: Pick<AppliedFactsCache, 'get' | 'set'>;
  /** When a replica last said that this is the newest. */
  readonly confirmedAt: number;
  /** That replica could not ask the home replica. */
  readonly isUnconfirmed: boolean;
}

/** Whether an answer says in a warning that the snapshot may be outdated. */
export function isStale(
  { confirmedAt, isUnconfirmed }: Pick<AccessEnvironment, 'confirmedAt' | 'isUnconfirmed'>,
  now: number,
): boolean {
  return isUnconfirmed || freshnessOf('configuration', confirmedAt, now) !== 'recent';
}
