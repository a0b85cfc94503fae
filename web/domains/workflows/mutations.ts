/** Mutations of workflows and their tests. */
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { workflowEndpoints } from '#contracts/console/workflows';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { workflowQuery } from './queries.ts';

interface Item {
  readonly id: string;
}

/** Returns the created workflow. */
export const useCreateWorkflow = (orgId: string) =>
  useFormChange(workflowEndpoints.create, { orgId }, { keptAs: ({ id }) => workflowQuery(orgId, id) });

/** The form, or the editor, shows the error. */
export const useUpdateWorkflow = (orgId: string, workflowId: string) =>
  useFormChange(
    workflowEndpoints.update,
    { orgId, workflowId },
    { keptAs: () => workflowQuery(orgId, workflowId) },
  );

/** Runs the tests on the saved code. */
export const useRunTests = (orgId: string, workflowId: string) =>
  useChange(
    workflowTestEndpoints.run,
    { orgId, workflowId },
    {
      errorTitle: 'Unable to run the tests',
      onSuccess: (tests, _input, client) =>
        client.setQueryData(endpointQuery(workflowTestEndpoints.list, { orgId, workflowId }).queryKey, tests),
    },
  );

export const useDeleteTest = (orgId: string, workflowId: string) =>
  useChange(
    workflowTestEndpoints.remove,
    ({ id: testId }: Item) => ({ params: { orgId, workflowId, testId } }),
    { errorTitle: 'Unable to delete the test' },
  );

/** In an environment where too many stopped runs disabled the workflow. */
export const useEnableWorkflow = (orgId: string, workflowId: string) =>
  useChange(workflowEndpoints.enable, (environmentId: string) => ({
    params: { orgId, environmentId, workflowId },
  }));

export const useDeleteWorkflow = (orgId: string) =>
  useChange(workflowEndpoints.remove, ({ id: workflowId }: Item) => ({ params: { orgId, workflowId } }));
