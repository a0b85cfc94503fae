/**
 * Names of the last version that the workspace no longer has, but its workflows still use: somebody who creates a version should see
 * them first.
 */
import type { LostName } from '#contracts/console/names';
import { missingNames } from '#engine/slugs/lost-names';
import { findLiterals } from '#worker/domains/workflows/find-literals';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { lastVersionAndWorkspace } from './compare-versions.ts';

/** Empty before the first version. @throws {ApiError} not-found */
export async function findLostNames(ctx: RequestContext, scope: Scope): Promise<LostName[]> {
  const [{ content: before }, { content: after }] = await lastVersionAndWorkspace(ctx, scope);
  if (before === null || after === null) return [];
  const missing = missingNames(before, after);
  if (missing.length === 0) return [];
  const names = new Set(missing.map(({ name }) => name));
  const uses = after.workflows.map(({ id, name, compiled }) => ({
    id,
    name,
    lines: findLiterals(compiled, names),
  }));
  return missing.flatMap((item) => {
    const workflows = uses.flatMap(({ id, name, lines }) => {
      const found = lines.get(item.name);
      return found === undefined ? [] : [{ id, name, lines: found }];
    });
    return workflows.length === 0 ? [] : [{ ...item, workflows }];
  });
}
