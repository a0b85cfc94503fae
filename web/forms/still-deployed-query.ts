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
import { unwatchedKey } from '#web/api/endpoint-query.ts';

export interface RunningEnvironment {
  readonly environmentId: string;
  readonly environmentName: string;
  /** The preview environment follows the workspace, so the deletion reaches it within seconds. */
  readonly isPreview: boolean;
  readonly artifactNumber: number | null;
}

/** Identified as in a diff. */
export interface WorkspaceItem {
  readonly itemType: DiffItem['itemType'];
  readonly itemId: string;
  /** False if the workspace does not compile the item into versions, such as a disabled workflow. */
  readonly isInWorkspace?: boolean;
}

/** Idle while `item` is null. Never cached: the answer depends on the workspace and on every deployment. */
export const stillDeployedQuery = (orgId: string, item: WorkspaceItem | null) =>
  queryOptions({
    queryKey: unwatchedKey(orgId, 'still-deployed', item),
    queryFn: item === null ? skipToken : ({ signal }) => findStillDeployed(orgId, item, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** One diff is fetched per deployed version, however many environments run it. */
export async function findStillDeployed(
  orgId: string,
  item: WorkspaceItem,
  signal: AbortSignal,
): Promise<RunningEnvironment[]> {
  const { isInWorkspace = true } = item;
  const { environments } = await call(deploymentEndpoints.status, { params: { orgId }, query: {} }, signal);
  const diffs = new Map<string, Promise<Diff>>();
  const found = await Promise.all(
    environments.map(async (status): Promise<RunningEnvironment[]> => {
      const { artifactId, artifactNumber, environmentId, environmentName, environmentType } = status;
      if (artifactId === null) return [];
      const isPreview = environmentType === 'preview';
      const running = { environmentId, environmentName, isPreview, artifactNumber };
      // The preview environment is about to contain what the workspace contains, and a rebuild may replace its artifact at any time.
      if (isPreview && artifactNumber === null) return isInWorkspace ? [running] : [];
      const diff =
        diffs.get(artifactId) ??
        call(artifactEndpoints.diff, { params: { orgId }, query: { fromArtifactId: artifactId } }, signal);
      diffs.set(artifactId, diff);
      return isContained(await diff, item) ? [running] : [];
    }),
  );
  return found.flat();
}

/**
 * Whether a version contains the item, from the diff of that version to the workspace: an item of the workspace is missing in
 * the version if the diff adds it, and any other is there if the diff removes it.
 */
export function isContained(
  { items }: Pick<Diff, 'items'>,
  { itemType, itemId, isInWorkspace = true }: WorkspaceItem,
): boolean {
  const change = items.find((each) => each.itemType === itemType && each.itemId === itemId);
  return isInWorkspace ? change?.type !== 'add' : change?.type === 'remove';
}
