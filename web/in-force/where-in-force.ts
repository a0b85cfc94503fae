/**
 * Which environments run a version that contains something of the workspace: asked before it is deleted, since what is
 * deployed goes on as it is until another version is deployed.
 */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { artifactEndpoints, type Diff, type DiffItem, deploymentEndpoints } from '#contracts/artifacts';
import { call } from '../api/call.ts';

export interface InForce {
  readonly environmentId: string;
  readonly environmentName: string;
  /** The preview environment follows the workspace by itself: the deletion reaches it within seconds. */
  readonly isPreview: boolean;
  readonly artifactNumber: number | null;
}

export interface Thing {
  readonly itemType: DiffItem['itemType'];
  /** As a diff names it. The thing stands in the workspace. */
  readonly itemId: string;
}

/** Waits while there is nothing to ask for. */
export const inForceQuery = (orgId: string, thing: Thing | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'deployments', 'in-force', thing],
    queryFn: thing === null ? skipToken : ({ signal }) => whereInForce(orgId, thing, signal),
    staleTime: 0,
    gcTime: 0,
  });

/**
 * What the workspace would add to a deployed version is not part of that version; everything else of the workspace is.
 * One comparison for each artifact that is deployed somewhere.
 */
export async function whereInForce(orgId: string, thing: Thing, signal: AbortSignal): Promise<InForce[]> {
  const { environments } = await call(deploymentEndpoints.status, { params: { orgId }, query: {} }, signal);
  const comparisons = new Map<string, Promise<Diff>>();
  const found = await Promise.all(
    environments.map(async (status): Promise<InForce[]> => {
      const { artifactId, artifactNumber, environmentId, environmentName, environmentType } = status;
      if (artifactId === null) return [];
      const comparison =
        comparisons.get(artifactId) ??
        call(artifactEndpoints.diff, { params: { orgId }, query: { fromArtifactId: artifactId } }, signal);
      comparisons.set(artifactId, comparison);
      if (isAddedBy(await comparison, thing)) return [];
      return [{ environmentId, environmentName, isPreview: environmentType === 'preview', artifactNumber }];
    }),
  );
  return found.flat();
}

export function isAddedBy({ items }: Pick<Diff, 'items'>, { itemType, itemId }: Thing): boolean {
  return items.some((item) => item.type === 'add' && item.itemType === itemType && item.itemId === itemId);
}
