/** Mutations of the event viewer. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { useChange } from '#web/api/use-change.ts';

type RunInput = BodyInputOf<typeof workflowRunEndpoints.run>['input'];

/**
 * Runs an execution again: on its recorded input, with its instant and random numbers and the code of its version. Nothing is
 * recorded or counted. The panel shows the error.
 * @param artifactId the version of the check; undefined if it is unknown, and the saved code runs
 */
export const useRunAgain = (orgId: string, artifactId: string | undefined) =>
  useChange(
    workflowRunEndpoints.run,
    ({ workflowId, input, seed }: Pick<WorkflowExecution, 'workflowId' | 'input' | 'seed'>) => ({
      params: { orgId, workflowId },
      // The server checks the fields.
      body: { input: input as RunInput, seed, artifactId },
    }),
    { isErrorShown: true },
  );
