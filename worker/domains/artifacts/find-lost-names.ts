/**
 * Names of the last version that the workspace no longer has, but its workflows still use: somebody who creates a version should see
 * them first.
 */
import type { LostName } from '#contracts/console/names';
import { missingNames } from '#engine/slugs/lost-names';
import { prepareSaved } from '#worker/domains/workflow-code/prepare-code';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { lastVersionAndWorkspace } from './compare-versions.ts';

/** Empty before the first version. @throws {ApiError} not-found; unavailable if code of an earlier release cannot be read now */
export async function findLostNames(ctx: RequestContext, scope: Scope): Promise<LostName[]> {
  const [{ content: before }, { content: after }] = await lastVersionAndWorkspace(ctx, scope);
  if (before === null || after === null) return [];
  const missing = missingNames(before, after);
  if (missing.length === 0) return [];
  const uses = await Promise.all(
    after.workflows.map(async ({ id, name, compiled }) => {
      const { literals } = await prepareSaved(ctx.env, scope, { id, compiled });
      return { id, name, lines: new Map(literals) };
    }),
  );
  return missing.flatMap((item) => {
    const workflows = uses.flatMap(({ id, name, lines }) => {
      const found = lines.get(item.name);
      return found === undefined ? [] : [{ id, name, lines: [...found] }];
    });
    return workflows.length === 0 ? [] : [{ ...item, workflows }];
  });
}
