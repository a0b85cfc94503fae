/** 'Add as a test': one click saves an execution's input and result. */
import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { useAddTest } from './use-add-test.ts';

export function AddTestButton({ execution }: { readonly execution: WorkflowExecution }) {
  const orgId = useOrgId();
  const { workflowId, success, input, isResultDropped = false } = execution;
  const add = useAddTest(orgId, workflowId);
  // A test needs an input to repeat and a result to expect.
  if (!success || input === null || isResultDropped) return null;
  return (
    <Button
      size="xs"
      variant="default"
      className="rigid"
      leftSection={<IconChecklist size={14} aria-hidden />}
      loading={add.isPending}
      onClick={() =>
        add.mutate(execution, {
          onSuccess: ({ name }) =>
            toast.success('Test added', {
              description: `It expects this result for ${name}, on every save of the code and before deployments.`,
            }),
        })
      }
    >
      Add as a test
    </Button>
  );
}
