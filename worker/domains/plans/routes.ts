/** Plans and their versions over HTTP. */
import { planEndpoints } from '#contracts/console/plans';
import { type Route, route } from '#worker/http/route';
import { createPlan } from './create-plan.ts';
import { deletePlan } from './delete-plan.ts';
import { listPlanSummaries } from './list-plan-summaries.ts';
import { listPlanVersions } from './list-plan-versions.ts';
import { savePlanVersion } from './save-plan-version.ts';
import { getPlan, getPlanVersion, listPlans, readVersionNumber } from './store.ts';
import { updatePlan } from './update-plan.ts';
import { updatePlanProducts } from './update-plan-products.ts';

export const planRoutes: readonly Route[] = [
  route(planEndpoints.list, ({ ctx, scope }) => listPlans(ctx.db, scope)),
  route(planEndpoints.create, ({ ctx, scope, body }) => createPlan(ctx, scope, body)),
  route(planEndpoints.get, ({ ctx, scope, params }) => getPlan(ctx.db, scope, params.planId)),
  route(planEndpoints.update, ({ ctx, scope, params, body }) => updatePlan(ctx, scope, params.planId, body)),
  route(planEndpoints.remove, ({ ctx, scope, params }) => deletePlan(ctx, scope, params.planId)),
  route(planEndpoints.listSummaries, ({ ctx, scope }) => listPlanSummaries(ctx.db, scope, ctx.now)),
  route(planEndpoints.listVersions, ({ ctx, scope, query }) => listPlanVersions(ctx.db, scope, query.after)),
  route(planEndpoints.getVersion, ({ ctx, scope, params }) =>
    getPlanVersion(ctx.db, scope, params.planId, readVersionNumber(params.version)),
  ),
  route(planEndpoints.updateVersion, ({ ctx, scope, params, body }) =>
    savePlanVersion(ctx, scope, {
      planId: params.planId,
      version: readVersionNumber(params.version),
      properties: body.properties,
    }),
  ),
  route(planEndpoints.updateProducts, ({ ctx, scope, params, body }) =>
    updatePlanProducts(ctx, scope, {
      planId: params.planId,
      add: body.addProducts ?? [],
      remove: body.removeProducts ?? [],
    }),
  ),
  route(planEndpoints.removeProduct, ({ ctx, scope, params, query }) =>
    updatePlanProducts(ctx, scope, {
      planId: params.planId,
      add: [],
      remove: [{ integrationId: params.integrationId, productId: params.productId, priceId: query.priceId }],
    }),
  ),
];
