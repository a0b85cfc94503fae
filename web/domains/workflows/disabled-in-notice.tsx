/** Names the environments in which Tessera disabled a workflow because too many runs were stopped, and enables it there again. */
import { Button, Group } from '@mantine/core';
import type { Workflow } from '#contracts/console/workflows';
import { useOrgId } from '#web/session/organisation.tsx';
import { sentence } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { useEnableWorkflow } from './mutations.ts';
import type { EnvironmentNames } from './workflow-labels.ts';

export interface DisabledInNoticeProps {
  readonly workflow: Workflow;
  readonly environmentNames: EnvironmentNames;
}

export function DisabledInNotice({ workflow, environmentNames }: DisabledInNoticeProps) {
  const orgId = useOrgId();
  const enable = useEnableWorkflow(orgId, workflow.id);
  const environments = workflow.disabledIn.flatMap((id) => {
    const name = environmentNames?.get(id);
    return name === undefined ? [] : [{ id, name }];
  });
  if (environments.length === 0) return null;
  const names = new Intl.ListFormat('en-GB').format(environments.map(({ name }) => name));
  return (
    <Notice isWide role="status" title={sentence`This workflow is disabled in ${names}`}>
      <p>
        Tessera stopped at least half of its runs because they took too long or used too much memory. Access
        checks continue without it and return a warning. Tessera tries it again an hour after disabling it.
        Fix the code and deploy it, or enable the workflow now.
      </p>
      <Group gap={8} mt={12}>
        {environments.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            loading={enable.isPending && enable.variables === id}
            onClick={() => enable.mutate(id)}
          >
            Enable in <bdi>{name}</bdi>
          </Button>
        ))}
      </Group>
    </Notice>
  );
}
