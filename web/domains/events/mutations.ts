/** Mutations of the event viewer. */
import { useMutation } from '@tanstack/react-query';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';

type RunInput = BodyInputOf<typeof workflowRunEndpoints.run>['input'];

/**
 * Runs a workflow's saved code on an execution's recorded input, with its instant and random numbers. Nothing is recorded or
 * counted. The panel shows the error.
 */
export function useRunAgain(orgId: string) {
  return useMutation({
    mutationFn: ({ workflowId, input, seed }: Pick<WorkflowExecution, 'workflowId' | 'input' | 'seed'>) =>
      call(workflowRunEndpoints.run, {
        params: { orgId, workflowId },
        // The server checks the fields.
        body: { input: input as RunInput, seed },
      }),
    meta: { isErrorShown: true },
  });
}
