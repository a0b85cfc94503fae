/** Shown if a workflow was switched off in an environment because it had to be stopped repeatedly. */
import { Button, Group } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import type { Workflow } from '#contracts/console/workflows';
import { Notice } from '#web/ui/notice.tsx';
import { useEnableWorkflow } from './mutations.ts';

export interface SwitchedOffNoticeProps {
  readonly orgId: string;
  readonly workflow: Workflow;
  /** Names by id. */
  readonly environmentNames: ReadonlyMap<string, string>;
}

export function SwitchedOffNotice({ orgId, workflow, environmentNames }: SwitchedOffNoticeProps) {
  const enable = useEnableWorkflow(orgId, workflow.id);
  const environments = workflow.disabledIn.flatMap((id) => {
    const name = environmentNames.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  if (environments.length === 0) return null;
  return (
    <Notice isWide role="status" icon={IconPlayerStop} title="This workflow was switched off">
      <p>
        It had to be stopped five times in a row: its code ran too long or used too much memory. Access checks
        go on without it, with a warning. Fix the code and deploy it, then switch it on again.
      </p>
      <Group gap={8} mt={12}>
        {environments.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            loading={enable.isPending && enable.variables === id}
            onClick={() => enable.mutate(id)}
          >
            Switch on in {name}
          </Button>
        ))}
      </Group>
    </Notice>
  );
}
