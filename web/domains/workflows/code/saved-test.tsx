/** One test: its state, and on request its input, the expected result and what came out. */
import { Button, Flex, Group, Stack } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react';
import type { WorkflowTest } from '#contracts/console/workflow-tests';
import { useAddTest } from '#web/forms/use-add-test.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { Age } from '#web/ui/labels/age.tsx';
import { useDeleteTest } from '../mutations.ts';
import { JsonPart } from './json-part.tsx';
import classes from './tests-panel.module.css';

const LOOKS = {
  passed: { icon: IconCircleCheck, label: 'Passes', colour: 'var(--allowed)' },
  failed: { icon: IconCircleX, label: 'Fails', colour: 'var(--denied)' },
  'not-run': { icon: IconCircleDashed, label: 'Not run', colour: 'var(--text-faint)' },
} as const;

export function SavedTest({ test }: { test: WorkflowTest }) {
  const orgId = useOrgId();
  const { name, status, message, expected, result, input, seed, ranAt } = test;
  const { icon: Icon, label, colour } = LOOKS[status ?? 'not-run'];
  const remove = useDeleteTest(orgId, test.workflowId);
  const accept = useAddTest(orgId, test.workflowId);
  const hasOtherResult = status === 'failed' && result !== null;
  return (
    <li>
      <details>
        <summary className={classes.summary}>
          <Icon size={16} color={colour} role="img" aria-label={label} className="rigid" />
          <Flex component="span" direction="column" flex={1} miw={0}>
            <bdi className="truncate">{name}</bdi>
            <code className="faint tiny mono truncate">{JSON.stringify(expected)}</code>
          </Flex>
        </summary>
        <Stack gap={8} px={16} pt={4} pb={14}>
          {message !== null && (
            <p className={status === 'failed' ? classes.failure : 'flush muted small breaks'}>{message}</p>
          )}
          {status === null && <p className="flush muted small">Not run on the saved code yet.</p>}
          <JsonPart title="Expected" value={expected} />
          {hasOtherResult && <JsonPart title="Returned" value={result} />}
          <JsonPart title="Input" value={input} />
          {ranAt !== null && (
            <p className="flush faint tiny">
              Run <Age at={ranAt} />
            </p>
          )}
          <Group gap={8}>
            {hasOtherResult && (
              <Button
                size="compact-sm"
                variant="default"
                loading={accept.isPending}
                onClick={() => accept.mutate({ name, input, seed, result })}
              >
                Expect this result
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate(test, { onSuccess: () => toast.success('Test deleted') })}
            >
              Delete
            </Button>
          </Group>
        </Stack>
      </details>
    </li>
  );
}
