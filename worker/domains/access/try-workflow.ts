/**
 * Runs a workflow's unsaved code: on a customer of the preview environment, with the test check before and after, or on an input
 * that a person typed. Nothing is recorded or counted.
 */
import type { z } from 'zod';
import type { runWorkflowSchema, workflowRunSchema } from '#contracts/console/workflow-runs';
import { getWorkflow } from '#worker/domains/workflows/reads';
import { runOnce } from '#worker/domains/workflows/run-once';
import { invalidField } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { trialEffects } from './production-effects.ts';
import { runTestAccess, testAccess } from './test-access.ts';

/** @throws {ApiError} not-found; invalid-request without code, or without its feature; unavailable without a runner */
export async function tryWorkflow(
  ctx: RequestContext,
  scope: Scope,
  workflowId: string,
  { compiled, userIdentifier, input, seed = ctx.requestId }: z.output<typeof runWorkflowSchema>,
): Promise<z.output<typeof workflowRunSchema>> {
  const workflow = await getWorkflow(ctx.db, scope, workflowId);
  const code = compiled ?? workflow.compiled;
  if (code === null) throw invalidField('compiled', 'The workflow has no saved code yet');
  const { id, name, type, featureId, source } = workflow;
  const tried = { id, name, type, featureId, source, compiled: code };
  if (input !== undefined) {
    return { execution: await runOnce(ctx.env, scope.orgId, tried, input, seed), before: null, after: null };
  }
  const request = userIdentifier === undefined ? {} : { userIdentifier };
  const before = await testAccess(ctx, scope, request, 'secret');
  const { executions, ...after } = await runTestAccess(ctx, scope, {
    ...{ request, seed, keyType: 'secret' },
    effects: trialEffects(ctx.env, tried),
  });
  const execution = executions.find((each) => each.workflowId === id);
  if (execution === undefined) {
    throw invalidField('workflowId', 'The preview environment does not have the feature of this workflow');
  }
  return { execution, before, after };
}
