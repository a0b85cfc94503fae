/** Saves an execution as a test of its workflow: the same input and random numbers are to give the same result. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { call } from '#web/api/call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';
import { testNameOf } from './test-name.ts';

type TestBody = BodyInputOf<typeof workflowTestEndpoints.add>;

export type TestedExecution = Pick<WorkflowExecution, 'input' | 'seed' | 'result'> & {
  /** Of a test that exists. */
  readonly name?: string;
};

/** A test with the same input then expects this result. */
export function useAddTest(orgId: string, workflowId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ input, seed, result, name = testNameOf(input) }: TestedExecution) =>
      call(workflowTestEndpoints.add, {
        params: { orgId, workflowId },
        // The server checks the fields.
        body: {
          name,
          input: input as TestBody['input'],
          seed,
          expected: (result ?? null) as TestBody['expected'],
        },
      }),
    meta: { errorTitle: 'Unable to save the test' },
    onSuccess: () => invalidateResources(client, orgId, ['workflows']),
  });
}
