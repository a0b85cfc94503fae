/**
 * Finds the environments whose deployed version contains a workspace item. Deleting the item changes the workspace only:
 * a deployed version keeps it until another version replaces it.
 */
import { queryOptions, skipToken } from '@tanstack/react-query';
import {
  artifactEndpoints,
  type Diff,
  type DiffItem,
  deploymentEndpoints,
} from '#contracts/console/artifacts';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

export interface RunningEnvironment {
  readonly environmentId: string;
  readonly environmentName: string;
  /** The preview environment follows the workspace, so the deletion reaches it within seconds. */
  readonly isPreview: boolean;
  readonly artifactNumber: number | null;
}

/** An item that the workspace contains, identified as in a diff. */
export interface WorkspaceItem {
  readonly itemType: DiffItem['itemType'];
  readonly itemId: string;
}

/** Idle while `item` is null. Never cached: the answer depends on the workspace and on every deployment. */
export const stillDeployedQuery = (orgId: string, item: WorkspaceItem | null) =>
  queryOptions({
    queryKey: queryKeys.stillDeployed(orgId, item),
    queryFn: item === null ? skipToken : ({ signal }) => findStillDeployed(orgId, item, signal),
    staleTime: 0,
    gcTime: 0,
  });

/**
 * A deployed version lacks exactly those workspace items that a diff from it to the workspace adds. One diff is fetched
 * per deployed version, however many environments run it.
 */
export async function findStillDeployed(
  orgId: string,
  item: WorkspaceItem,
  signal: AbortSignal,
): Promise<RunningEnvironment[]> {
  const { environments } = await call(deploymentEndpoints.status, { params: { orgId }, query: {} }, signal);
  const diffs = new Map<string, Promise<Diff>>();
  const found = await Promise.all(
    environments.map(async (status): Promise<RunningEnvironment[]> => {
      const { artifactId, artifactNumber, environmentId, environmentName, environmentType } = status;
      if (artifactId === null) return [];
      const isPreview = environmentType === 'preview';
      const running = { environmentId, environmentName, isPreview, artifactNumber };
      // The preview environment is about to contain every workspace item, and a rebuild may replace its artifact at any time.
      if (isPreview && artifactNumber === null) return [running];
      const diff =
        diffs.get(artifactId) ??
        call(artifactEndpoints.diff, { params: { orgId }, query: { fromArtifactId: artifactId } }, signal);
      diffs.set(artifactId, diff);
      if (isAddedBy(await diff, item)) return [];
      return [running];
    }),
  );
  return found.flat();
}

export function isAddedBy({ items }: Pick<Diff, 'items'>, item: WorkspaceItem): boolean {
  return items.some(
    ({ type, itemType, itemId }) => type === 'add' && itemType === item.itemType && itemId === item.itemId,
  );
}
