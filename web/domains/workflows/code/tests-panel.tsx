/** A workflow's tests: which pass on the saved code, and for the others what was expected and what came out. */
import { Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconChecklist, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Workflow } from '#contracts/console/workflows';
import { useOrgId } from '#web/session/organisation.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { useRunTests } from '../mutations.ts';
import { workflowTestsQuery } from '../queries.ts';
import { countsOf, testStateOf } from '../test-counts.ts';
import { SavedTest } from './saved-test.tsx';
import classes from './tests-panel.module.css';

export function TestsPanel({ workflow }: { readonly workflow: Workflow }) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(workflowTestsQuery(orgId, workflow));
  const run = useRunTests(orgId, workflow.id);
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={120} m={16} width="auto" />
    ) : (
      <ErrorState title="The tests could not be loaded" error={error} onRetry={refetch} />
    );
  }
  const state = testStateOf(countsOf(data));
  if (state === null) {
    return (
      <Stack gap={8} align="flex-start" px={16} py={20}>
        <IconChecklist size={20} aria-hidden className="faint" />
        <p className="flush strong medium small">No tests yet</p>
        <p className="flush muted small">
          Run the code, or open a real event, and add the result as a test. Tests run on every save and before
          deployments. A failing test warns you and blocks nothing.
        </p>
      </Stack>
    );
  }
  return (
    <>
      <Group justify="space-between" gap={8} px={16} pt={12} wrap="nowrap">
        <span className={classes.state} data-state={state.state} role="status">
          {state.label}
        </span>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={13} aria-hidden />}
          disabled={!workflow.isCompiled}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          Run tests
        </Button>
      </Group>
      <Box component="p" px={16} pt={4} pb={12} className="faint tiny flush">
        On the saved code. Tests also run on every save and before deployments.
      </Box>
      <ul className={classes.tests} aria-label="Tests">
        {data.map((test) => (
          <SavedTest key={test.id} test={test} />
        ))}
      </ul>
    </>
  );
}
