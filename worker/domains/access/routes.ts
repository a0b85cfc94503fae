/** The console's own way to an access check; the public one is handle-public-api.ts. */
import { eventExplanationEndpoints } from '#contracts/console/event-explanation';
import { testAccessEndpoints } from '#contracts/console/test-access';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { type Route, route } from '#worker/http/route';
import { explainEvent } from './tries/explain-event.ts';
import { runVersionTests } from './tries/run-version-tests.ts';
import { testAccess } from './tries/test-access.ts';
import { tryWorkflow } from './tries/try-workflow.ts';

export const accessRoutes: readonly Route[] = [
  route(testAccessEndpoints.test, ({ ctx, scope, body }) =>
    testAccess(ctx, scope, body.request, body.apiKeyType),
  ),
  route(eventExplanationEndpoints.explain, ({ ctx, scope, params }) =>
    explainEvent(ctx, scope, params.eventId),
  ),
  route(workflowRunEndpoints.run, ({ ctx, scope, params, body }) =>
    tryWorkflow(ctx, scope, params.workflowId, body),
  ),
  route(workflowTestEndpoints.runOnVersion, ({ ctx, scope, params }) =>
    runVersionTests(ctx, scope, params.artifactId),
  ),
];
