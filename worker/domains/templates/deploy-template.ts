/** Freezes the workspace with the template in it, and deploys it where nothing else changes with it. */
import type { DiffItem } from '#contracts/console/artifacts';
import { compareVersions } from '#worker/domains/artifacts/compare-versions';
import { deployVersion } from '#worker/domains/artifacts/deploy-version';
import { freezeVersion } from '#worker/domains/artifacts/freeze-version';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext, Scope } from '#worker/http/request-context';
import type { OwnItems } from './find-own-items.ts';
import type { TemplateEnvironment } from './prepare-environments.ts';

/**
 * What runs in an environment gets the template and nothing that somebody else is working on.
 * @param toArtifactId the workspace where absent
 * @throws {ApiError} conflict
 */
export async function ensureIsDeployable(
  ctx: RequestContext,
  scope: Scope,
  { id, name, artifactId }: TemplateEnvironment,
  own: OwnItems,
  toArtifactId?: string,
): Promise<void> {
  if (artifactId === null) return;
  const { items, fromArtifactNumber } = await compareVersions(ctx, scope, { envId: id, toArtifactId });
  if (items.every((item) => isOwn(item, own))) return;
  throw new ApiError(
    'conflict',
    `${name} runs version ${fromArtifactNumber}, and the workspace has changes since then. Deploy or undo them first.`,
  );
}

function isOwn({ itemType, itemId }: DiffItem, { featureIds, propertyIds, planIds }: OwnItems): boolean {
  const has = (ids: ReadonlyMap<string, string>, id: string | undefined) =>
    [...ids.values()].includes(id ?? '');
  switch (itemType) {
    case 'feature':
      return has(featureIds, itemId);
    case 'feature-property':
      return has(propertyIds, itemId);
    case 'plan':
      return has(planIds, itemId);
    case 'plan-value':
      return has(planIds, itemId.split(':')[0]);
    default:
      return false;
  }
}

/** @throws {ApiError} conflict */
export async function deployTemplate(
  ctx: RequestContext,
  scope: MemberScope,
  environments: readonly TemplateEnvironment[],
  own: OwnItems,
): Promise<void> {
  const { fromArtifactId, items } = await compareVersions(ctx, scope, {});
  const last = items.length === 0 ? fromArtifactId : null;
  const artifactId = last ?? (await freezeVersion(ctx, scope)).artifactId;
  for (const each of environments) {
    if (each.artifactId === artifactId) continue;
    await ensureIsDeployable(ctx, scope, each, own, artifactId);
    await deployVersion(ctx, scope, {
      environmentId: each.id,
      artifactId,
      fromArtifactId: each.artifactId,
    });
  }
}
