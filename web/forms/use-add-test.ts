/** Saves an execution as a test of its workflow: the same input and random numbers are to give the same result. */
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { workflowTestEndpoints } from '#contracts/console/workflow-tests';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { useChange } from '#web/api/use-change.ts';
import { testNameOf } from './test-name.ts';

type TestBody = BodyInputOf<typeof workflowTestEndpoints.add>;

export type TestedExecution = Pick<WorkflowExecution, 'input' | 'seed' | 'result'> & {
  /** Of a test that exists. */
  readonly name?: string;
};

/** A test with the same input then expects this result. */
export const useAddTest = (orgId: string, workflowId: string) =>
  useChange(
    workflowTestEndpoints.add,
    ({ input, seed, result, name = testNameOf(input) }: TestedExecution) => ({
      params: { orgId, workflowId },
      // The server checks the fields.
      body: {
        name,
        input: input as TestBody['input'],
        seed,
        expected: (result ?? null) as TestBody['expected'],
      },
    }),
    { errorTitle: 'Unable to save the test' },
  );
