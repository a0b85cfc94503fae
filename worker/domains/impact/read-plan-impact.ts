/** What a plan's unsaved values would change for known customers. The workspace is compared with itself but for these values. */
import type { Impact } from '#contracts/console/impact';
import type { PlanProperties } from '#contracts/console/plans';
import { compileArtifact } from '#engine/artifacts/compile-artifact';
import { checkPlanProperties } from '#worker/domains/plans/check-plan-properties';
import { readWorkspace } from '#worker/domains/publishing/reads';
import { invalidRequest, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { findRules } from './find-versions.ts';
import { impactOf } from './read-impact.ts';

/** @throws {ApiError} not-found; invalid-request naming the fields, as saving them */
export async function readPlanImpact(
  ctx: RequestContext,
  scope: Scope,
  environmentId: string,
  planId: string,
  sent: PlanProperties,
): Promise<Impact> {
  const rules = await findRules(ctx, scope, environmentId);
  const state = await readWorkspace(ctx.db, scope);
  if (state === null || !state.workspace.plans.some(({ id }) => id === planId)) throw notFound('The plan');
  const { workspace } = state;
  const own = workspace.planValues.filter((row) => row.planId === planId);
  const base = Object.fromEntries(
    [...Map.groupBy(own, ({ featureId }) => featureId)].map(([featureId, rows]) => [
      featureId,
      rows.flatMap(({ propertyId, value }) => {
        const type = workspace.properties.find(({ id }) => id === propertyId)?.type;
        return type === undefined ? [] : [{ id: propertyId, type, value }];
      }),
    ]),
  ) as PlanProperties;
  const { properties, issues } = checkPlanProperties(sent, base, workspace.properties);
  if (issues.length > 0) throw invalidRequest(issues);
  const values = Object.entries(properties).flatMap(([featureId, rows]) =>
    rows.map(({ id: propertyId, value }) => ({ planId, featureId, propertyId, value })),
  );
  const others = workspace.planValues.filter((row) => row.planId !== planId);
  return impactOf(ctx, scope, {
    from: { number: null, content: compileArtifact(workspace) },
    to: { number: null, content: compileArtifact({ ...workspace, planValues: [...others, ...values] }) },
    rules,
  });
}
