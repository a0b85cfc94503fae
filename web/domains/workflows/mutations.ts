/** Mutations of workflows. Each invalidates the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import { type WorkflowTest, workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { type WorkflowSummary, workflowEndpoints } from '#contracts/console/workflows';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources, invalidateWorkspace, queryKeys } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { workflowQuery } from './queries.ts';

/** Resolves when the workflows are refetched. Everything else refetches in the background. */
function refresh(client: QueryClient, orgId: string, deletedId?: string): Promise<void> {
  void invalidateWorkspace(client, orgId);
  return invalidateResources(client, orgId, ['workflows'], deletedId);
}

/** Returns the created workflow. */
export function useCreateWorkflow(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(workflowEndpoints.create, { orgId }),
    onSuccess: (workflow) => {
      client.setQueryData(workflowQuery(orgId, workflow.id).queryKey, workflow);
      void refresh(client, orgId);
    },
  });
}

/** The form, or the editor, shows the error. */
export function useUpdateWorkflow(orgId: string, workflowId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(workflowEndpoints.update, { orgId, workflowId }),
    onSuccess: (workflow) => client.setQueryData(workflowQuery(orgId, workflowId).queryKey, workflow),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Runs code that may be unsaved. The pane shows the error. */
export const useRunWorkflow = (orgId: string, workflowId: string) =>
  useMutation(formCall(workflowRunEndpoints.run, { orgId, workflowId }));

/** Runs the tests on the saved code. */
export function useRunTests(orgId: string, workflowId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(workflowTestEndpoints.run, { params: { orgId, workflowId } }),
    meta: { errorTitle: 'Unable to run the tests' },
    onSuccess: (tests) => client.setQueryData(queryKeys.workflowTests(orgId, workflowId), tests),
    onSettled: () => invalidateResources(client, orgId, ['workflows']),
  });
}

export const useDeleteTest = (orgId: string, workflowId: string) =>
  useChange((client) => invalidateResources(client, orgId, ['workflows']), {
    mutationFn: ({ id: testId }: Pick<WorkflowTest, 'id'>) =>
      call(workflowTestEndpoints.remove, { params: { orgId, workflowId, testId } }),
    meta: { errorTitle: 'Unable to delete the test' },
  });

/** In an environment where too many stopped runs disabled the workflow. */
export const useEnableWorkflow = (orgId: string, workflowId: string) =>
  useChange((client) => refresh(client, orgId), {
    mutationFn: (environmentId: string) =>
      call(workflowEndpoints.enable, { params: { orgId, environmentId, workflowId } }),
  });

export function useDeleteWorkflow(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<WorkflowSummary, 'id'>) =>
      call(workflowEndpoints.remove, { params: { orgId, workflowId: id } }),
    onSettled: (_answer, error, { id }) => void refresh(client, orgId, error === null ? id : undefined),
  });
}
