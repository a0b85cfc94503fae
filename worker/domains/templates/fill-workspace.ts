/** Creates what the workspace lacks of a template: features, properties, plans and their values. */
import { and, eq } from 'drizzle-orm';
import type { PlanProperties, PlanValue } from '#contracts/console/plans';
import { SYSTEM_PROPERTY, SYSTEM_PROPERTY_PLAN_VALUE } from '#engine/values/system-property';
import { plan } from '#worker/db/schema/plans';
import { createFeature } from '#worker/domains/features/create-feature';
import { createProperty } from '#worker/domains/features/create-property';
import { createPlan } from '#worker/domains/plans/create-plan';
import { savePlanVersion } from '#worker/domains/plans/save-plan-version';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { findOwnItems, type OwnItems, propertyPath } from './find-own-items.ts';
import type { Template, TemplatePlan } from './templates.ts';

/** @returns everything of the template @throws {ApiError} conflict */
export async function fillWorkspace(
  ctx: RequestContext,
  scope: MemberScope,
  template: Template,
): Promise<OwnItems> {
  const before = await findOwnItems(ctx.db, scope, template);
  const made = new Map(before.propertyIds);
  for (const { properties, ...body } of template.features) {
    const featureId = before.featureIds.get(body.slug) ?? (await createFeature(ctx, scope, body)).id;
    for (const { costs, ...property } of properties) {
      const path = propertyPath(body.slug, property.propertyKey);
      if (made.has(path)) continue;
      const payerId = costs && made.get(propertyPath(costs.feature, costs.property));
      const paid = payerId === undefined ? {} : { costs: { propertyId: payerId, per: costs?.per ?? 1 } };
      made.set(path, (await createProperty(ctx, scope, featureId, { ...property, ...paid })).id);
    }
  }
  const after = await findOwnItems(ctx.db, scope, template);
  const planIds = new Map(before.planIds);
  for (const { values, ...body } of template.plans) {
    const planId = planIds.get(body.slug) ?? (await createPlan(ctx, scope, body)).planId;
    planIds.set(body.slug, planId);
    if (before.filledPlanIds.has(planId)) continue;
    const version = await currentVersion(ctx, scope, planId);
    await savePlanVersion(ctx, scope, { planId, version, properties: propertiesOf(values, after) });
  }
  return { ...after, planIds };
}

async function currentVersion({ db }: RequestContext, { orgId }: MemberScope, planId: string) {
  const [row] = await db
    .select({ version: plan.currentVersion })
    .from(plan)
    .where(and(eq(plan.id, planId), eq(plan.orgId, orgId)));
  return row?.version ?? null;
}

function propertiesOf(values: TemplatePlan['values'], { featureIds, propertyIds }: OwnItems): PlanProperties {
  const idOf = (feature: string, key: string) => propertyIds.get(propertyPath(feature, key)) ?? '';
  const entries = Object.entries(values).map(([feature, own]): [string, PlanValue[]] => [
    featureIds.get(feature) ?? '',
    [
      { id: idOf(feature, SYSTEM_PROPERTY.key), type: 'boolean', value: SYSTEM_PROPERTY_PLAN_VALUE },
      ...Object.entries(own).map(
        ([key, value]): PlanValue => ({
          id: idOf(feature, key),
          type: typeof value === 'number' ? 'number' : 'meterable',
          value,
        }),
      ),
    ],
  ]);
  return Object.fromEntries(entries);
}
