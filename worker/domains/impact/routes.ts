/** What a deployment would change for known customers, over HTTP. */
import { impactEndpoints } from '#contracts/console/impact';
import { type Route, route } from '#worker/http/route';
import { keepValues } from './keep-values.ts';
import { readImpact } from './read-impact.ts';
import { readPlanImpact } from './read-plan-impact.ts';
import { replayChecks } from './replay-checks.ts';

export const impactRoutes: readonly Route[] = [
  route(impactEndpoints.read, ({ ctx, scope, params, query }) =>
    readImpact(ctx, scope, params.envId, query.toArtifactId),
  ),
  route(impactEndpoints.replay, ({ ctx, scope, params, query }) =>
    replayChecks(ctx, scope, params.envId, query.toArtifactId),
  ),
  route(impactEndpoints.readPlan, ({ ctx, scope, params, body }) =>
    readPlanImpact(ctx, scope, params.envId, params.planId, body.properties),
  ),
  route(impactEndpoints.keep, ({ ctx, scope, params, body }) => keepValues(ctx, scope, params.envId, body)),
];
