/** Workflows over HTTP. */
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { workflowEndpoints } from '#contracts/console/workflows';
import { type Route, route } from '#worker/http/route';
import { addTest } from './add-test.ts';
import { createWorkflow } from './create-workflow.ts';
import { deleteTest } from './delete-test.ts';
import { deleteWorkflow } from './delete-workflow.ts';
import { enableWorkflow } from './enable-workflow.ts';
import { runSavedTests } from './run-saved-tests.ts';
import { getWorkflow, listWorkflows } from './store.ts';
import { listTestsOf } from './test-store.ts';
import { updateWorkflow } from './update-workflow.ts';

export const workflowRoutes: readonly Route[] = [
  route(workflowEndpoints.list, ({ ctx, scope }) => listWorkflows(ctx.db, scope)),
  route(workflowEndpoints.create, ({ ctx, scope, body }) => createWorkflow(ctx, scope, body)),
  route(workflowEndpoints.get, ({ ctx, scope, params }) => getWorkflow(ctx.db, scope, params.workflowId)),
  route(workflowEndpoints.update, ({ ctx, scope, params, body }) =>
    updateWorkflow(ctx, scope, params.workflowId, body),
  ),
  route(workflowEndpoints.remove, ({ ctx, scope, params }) => deleteWorkflow(ctx, scope, params.workflowId)),
  route(workflowEndpoints.enable, ({ ctx, scope, params }) =>
    enableWorkflow(ctx, scope, params.environmentId, params.workflowId),
  ),
  route(workflowTestEndpoints.list, ({ ctx, scope, params }) =>
    listTestsOf(ctx.db, scope, params.workflowId),
  ),
  route(workflowTestEndpoints.add, ({ ctx, scope, params, body }) =>
    addTest(ctx, scope, params.workflowId, body),
  ),
  route(workflowTestEndpoints.remove, ({ ctx, scope, params }) =>
    deleteTest(ctx, scope, params.workflowId, params.testId),
  ),
  route(workflowTestEndpoints.run, ({ ctx, scope, params }) =>
    runSavedTests(ctx, scope, params.workflowId, 'all'),
  ),
];
