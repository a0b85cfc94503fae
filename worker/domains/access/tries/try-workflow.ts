/**
 * Runs a workflow's code on a customer of the preview environment, with the test check before and after, or on an input: typed by a
 * person, or recorded with an execution. Nothing is recorded or counted.
 */
import type { z } from 'zod';
import type { RunCode, runWorkflowSchema, workflowRunSchema } from '#contracts/console/workflow-runs';
import type { ArtifactWorkflow } from '#engine/artifacts/artifact-content';
import { readVersionContent } from '#worker/domains/artifacts/read-version-content';
import { makeTrialCode } from '#worker/domains/workflow-code/make-loadable-code';
import { limitTrialRun } from '#worker/domains/workflows/limit-trial-runs';
import { getWorkflow } from '#worker/domains/workflows/reads';
import { runOnce } from '#worker/domains/workflows/run-once';
import { invalidField } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { trialEffects } from '../effects/production-effects.ts';
import { runTestAccess, testAccess } from './test-access.ts';

/** @throws {ApiError} not-found; invalid-request without code, or without its feature; rate-limited; unavailable if workflows cannot run */
export async function tryWorkflow(
  ctx: RequestContext,
  scope: Scope,
  workflowId: string,
  { compiled, artifactId, userIdentifier, input, seed = ctx.requestId }: z.output<typeof runWorkflowSchema>,
): Promise<z.output<typeof workflowRunSchema>> {
  const { workflow, code } =
    (await findInVersion(ctx, scope, workflowId, artifactId)) ??
    (await editedWorkflow(ctx, scope, workflowId, compiled));
  await limitTrialRun(ctx, scope, workflow.compiled);
  if (input !== undefined) {
    const execution = await runOnce(ctx.env, scope.orgId, workflow, input, seed);
    return { execution, code, before: null, after: null };
  }
  const request = userIdentifier === undefined ? {} : { userIdentifier };
  const before = await testAccess(ctx, scope, request, 'secret');
  const { executions, ...after } = await runTestAccess(ctx, scope, {
    request,
    seed,
    keyType: 'secret',
    effects: trialEffects(ctx.env, workflow, await makeTrialCode(ctx.env, scope, workflow)),
  });
  const execution = executions.find((each) => each.workflowId === workflowId);
  if (execution === undefined) {
    throw invalidField('workflowId', 'The preview environment does not have the feature of this workflow');
  }
  return { execution, code, before, after };
}

interface Tried {
  readonly workflow: ArtifactWorkflow;
  readonly code: RunCode;
}

/** A version has its workflows also after they were changed or deleted. Null without a version, or if it no longer exists. */
async function findInVersion(
  ctx: RequestContext,
  scope: Scope,
  workflowId: string,
  artifactId: string | undefined,
): Promise<Tried | null> {
  if (artifactId === undefined) return null;
  const content = await readVersionContent(ctx, scope, artifactId);
  const workflow = content?.workflows.find(({ id }) => id === workflowId);
  return workflow === undefined ? null : { workflow, code: 'version' };
}

async function editedWorkflow(
  { db }: RequestContext,
  scope: Scope,
  workflowId: string,
  unsaved: string | undefined,
): Promise<Tried> {
  const { id, name, type, featureId, source, compiled: saved } = await getWorkflow(db, scope, workflowId);
  const compiled = unsaved ?? saved;
  if (compiled === null) throw invalidField('compiled', 'The workflow has no saved code yet');
  return {
    workflow: { id, name, type, featureId, source, compiled },
    code: unsaved === undefined ? 'saved' : 'sent',
  };
}
