/** Mutations of workflows. Each invalidates the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import { type WorkflowTest, workflowTestEndpoints } from '#contracts/console/workflow-tests';
import { type WorkflowSummary, workflowEndpoints } from '#contracts/console/workflows';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { invalidateResources, invalidateWorkspace, queryKeys } from '#web/api/query-keys.ts';
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
    mutationFn: (body: BodyInputOf<typeof workflowEndpoints.create>) =>
      call(workflowEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
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
    mutationFn: (body: BodyInputOf<typeof workflowEndpoints.update>) =>
      call(workflowEndpoints.update, { params: { orgId, workflowId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (workflow) => client.setQueryData(workflowQuery(orgId, workflowId).queryKey, workflow),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Runs code that may be unsaved. The pane shows the error. */
export function useRunWorkflow(orgId: string, workflowId: string) {
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof workflowRunEndpoints.run>) =>
      call(workflowRunEndpoints.run, { params: { orgId, workflowId }, body }),
    meta: { isErrorShown: true },
  });
}

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

export function useDeleteTest(orgId: string, workflowId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id: testId }: Pick<WorkflowTest, 'id'>) =>
      call(workflowTestEndpoints.remove, { params: { orgId, workflowId, testId } }),
    meta: { errorTitle: 'Unable to delete the test' },
    onSettled: () => invalidateResources(client, orgId, ['workflows']),
  });
}

/** In an environment where too many stopped runs disabled the workflow. */
export function useEnableWorkflow(orgId: string, workflowId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (environmentId: string) =>
      call(workflowEndpoints.enable, { params: { orgId, environmentId, workflowId } }),
    onSettled: () => refresh(client, orgId),
  });
}

export function useDeleteWorkflow(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<WorkflowSummary, 'id'>) =>
      call(workflowEndpoints.remove, { params: { orgId, workflowId: id } }),
    onSettled: (_answer, error, { id }) => void refresh(client, orgId, error === null ? id : undefined),
  });
}
