/** The Workflows tab: what each workflow of the check did, with its log, wall time and result, and the same run again. */
import { Anchor, Box, Button, Group, Skeleton, Stack } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { isSameJson } from '#engine/workflows/is-same-json';
import { errorNotice } from '#web/api/error-notice.ts';
import { AddTestButton } from '#web/forms/add-test-button.tsx';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { SheetSection } from '#web/ui/dialogs/sheet-section.tsx';
import { formatLatency, formatNumber } from '#web/ui/format.ts';
import { InlinePart } from '#web/ui/loading/inline-part.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { fieldOf } from '#web/values/event-fields.ts';
import { ExecutionLogs } from '#web/values/execution-logs.tsx';
import { useRunAgain } from './mutations.ts';
import { eventExecutionsQuery } from './queries.ts';

const jsonTree = codeApart(async () => (await import('./json-tree.tsx')).JsonTree);

export function ExecutionsPanel({ event }: { event: Event }) {
  const orgId = useOrgId();
  const { data, error, refetch } = useQuery(eventExecutionsQuery(orgId, event.id));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={160} />
    ) : (
      <ErrorState title="The workflows could not be loaded" error={error} onRetry={refetch} />
    );
  }
  if (data.executions.length === 0) {
    return (
      <div className="note">
        <p className="flush strong medium">No Workflows Triggered</p>
        <p className="flush small">
          No workflow ran in this check.{' '}
          <Anchor component={Link} to={paths.workflows(orgId)} inherit underline="always">
            Workflows
          </Anchor>{' '}
          override plans and values with your own code.
        </p>
      </div>
    );
  }
  return data.executions.map((execution) => (
    <Execution key={execution.executionId} execution={execution} version={versionOf(event)} />
  ));
}

/** The version of the check. */
interface Version {
  readonly artifactId: string | undefined;
  /** 'v3', or the workspace of that time. */
  readonly label: string;
}

function versionOf({ response }: Event): Version {
  const version = fieldOf(response, 'version');
  const [artifactId, number] = [fieldOf(version, 'artifactId'), fieldOf(version, 'number')];
  return {
    artifactId: typeof artifactId === 'string' ? artifactId : undefined,
    label: typeof number === 'number' ? `v${number}` : 'the workspace at that time',
  };
}

interface ExecutionProps {
  readonly execution: WorkflowExecution;
  readonly version: Version;
}

function Execution({ execution, version }: ExecutionProps) {
  const orgId = useOrgId();
  const { workflowId, workflowName, wallTime } = execution;
  return (
    <SheetSection
      title={
        <Anchor component={Link} to={paths.workflow(orgId, workflowId)} inherit>
          <bdi className="breaks">{workflowName}</bdi>
        </Anchor>
      }
      label={workflowName}
      aside={<span className="muted small figures">{formatLatency(wallTime)}</span>}
    >
      <Outcome execution={execution} effect="The check ran without it." />
      <RunAgain execution={execution} version={version} />
    </SheetSection>
  );
}

/** @param effect what a failure meant for the caller */
function Outcome({ execution, effect }: { execution: WorkflowExecution; effect?: string }) {
  const { success, diagnosticMessages, logs, droppedLogs = 0, result, isResultDropped = false } = execution;
  return (
    <>
      {!success && (
        <Box py={8} px={12} className="denied small round-6 breaks">
          <strong>Workflow Failed</strong>
          {diagnosticMessages.map((message) => (
            <div key={message}>{message}</div>
          ))}
          {effect !== undefined && <div>{effect}</div>}
        </Box>
      )}
      {success && diagnosticMessages.length > 0 && (
        <Box component="ul" py={8} px={12} className="list warning small round-6 breaks">
          {diagnosticMessages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </Box>
      )}
      {(logs.length > 0 || droppedLogs === 0) && <ExecutionLogs logs={logs} />}
      {droppedLogs > 0 && (
        <p className="flush small muted">
          {logs.length > 0 ? 'The last ' : ''}
          {droppedLogs === 1 ? '1 log line was' : `${formatNumber(droppedLogs)} log lines were`} too long to
          store.
        </p>
      )}
      {success && isResultDropped && <p className="flush small muted">The result was too long to store.</p>}
      {success && !isResultDropped && (
        <InlinePart
          code={jsonTree}
          props={{ title: 'Result', value: result }}
          loading={<Skeleton height={60} />}
        />
      )}
    </>
  );
}

function RunAgain({ execution, version }: ExecutionProps) {
  const orgId = useOrgId();
  const { data, error, isPending, mutate } = useRunAgain(orgId, version.artifactId);
  const again = data?.execution;
  const isSame = again === undefined ? null : isSameResult(again, execution);
  if (execution.input === null)
    return <p className="flush small muted">The input was too large to store, so it can’t run again.</p>;
  return (
    <>
      <Group gap={10}>
        <Button
          size="xs"
          variant="default"
          className="rigid"
          leftSection={<IconRepeat size={14} aria-hidden />}
          loading={isPending}
          onClick={() => mutate(execution)}
        >
          Run again
        </Button>
        <AddTestButton execution={execution} />
        <span className="faint tiny">
          Runs the code of {version.label} with the recorded input, time and random numbers. Nothing is
          recorded.
        </span>
      </Group>
      {error !== null && (
        <Box component="p" py={8} px={12} className="flush denied small round-6 breaks" role="alert">
          {errorNotice(error).description}
        </Box>
      )}
      {again !== undefined && (
        <Stack gap={8} role="status" aria-label="Result of running again">
          <p className="flush small">
            <strong className="medium">
              {isSame === null ? 'Result' : isSame ? 'Same result' : 'Different result'}
            </strong>{' '}
            <span className="muted figures">{formatLatency(again.wallTime)}</span>
          </p>
          {data?.code === 'saved' && (
            <p className="flush small muted">
              This used the workflow’s saved code: the code of {version.label} no longer exists.
            </p>
          )}
          {isSame !== true && <Outcome execution={again} />}
        </Stack>
      )}
    </>
  );
}

/** Null if the recorded result was not stored. */
function isSameResult(again: WorkflowExecution, recorded: WorkflowExecution): boolean | null {
  if (again.success !== recorded.success) return false;
  if (recorded.isResultDropped === true) return null;
  return isSameJson(again.result, recorded.result);
}
