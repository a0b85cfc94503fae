/** The Workflows tab: what each workflow of the check did, with its log, wall time and result. */
import { Anchor, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Event } from '#contracts/console/events';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { paths } from '#web/paths.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { formatLatency } from '#web/ui/format.ts';
import { eventExecutionsQuery } from './queries.ts';
import classes from './viewer.module.css';

const JsonTree = lazy(async () => ({ default: (await import('./json-tree.tsx')).JsonTree }));

export function ExecutionsPanel({ orgId, event }: { orgId: string; event: Event }) {
  const { data, error, refetch } = useQuery(eventExecutionsQuery(orgId, event.id));
  if (data === undefined) {
    return error === null ? (
      <Skeleton height={160} />
    ) : (
      <ErrorState title="The workflows could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.executions.length === 0) {
    return (
      <div className="note">
        <p className="flush strong medium">No Workflows Triggered</p>
        <p className="flush small">
          No workflow ran in this check.{' '}
          <Anchor component={Link} to={paths.workflows(orgId)} inherit>
            Workflows
          </Anchor>{' '}
          override plans and values with your own code.
        </p>
      </div>
    );
  }
  return data.executions.map((execution) => (
    <Execution key={execution.executionId} orgId={orgId} execution={execution} />
  ));
}

function Execution({ orgId, execution }: { orgId: string; execution: WorkflowExecution }) {
  const { workflowId, workflowName, success, wallTime, diagnosticMessages, logs, result } = execution;
  return (
    <section className={classes.part} aria-label={workflowName}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>
          <Anchor component={Link} to={paths.workflow(orgId, workflowId)} inherit>
            <bdi className="breaks">{workflowName}</bdi>
          </Anchor>
        </h3>
        <span className="muted small figures">{formatLatency(wallTime)}</span>
      </div>
      {!success && (
        <div className="denied small round-6 breaks" style={{ padding: '8px 12px' }}>
          <strong>Workflow Failed</strong>
          {diagnosticMessages.map((message) => (
            <div key={message}>{message}</div>
          ))}
          <div>The check was answered without it.</div>
        </div>
      )}
      {success && diagnosticMessages.length > 0 && (
        <ul className="list warning small round-6 breaks" style={{ padding: '8px 12px' }}>
          {diagnosticMessages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <Logs logs={logs} />
      {success && (
        <Suspense fallback={<Skeleton height={60} />}>
          <JsonTree title="Result" value={result} />
        </Suspense>
      )}
    </section>
  );
}

const LEVELS = { all: 'All', warn: 'Warnings', error: 'Errors' } as const;
type Level = keyof typeof LEVELS;

function Logs({ logs }: Pick<WorkflowExecution, 'logs'>) {
  const [level, setLevel] = useState<Level>('all');
  const startedAt = logs[0]?.t ?? 0;
  const shown = logs.filter(({ l }) => level === 'all' || l === level);
  if (logs.length === 0) return <p className="flush small muted">It logged nothing.</p>;
  return (
    <>
      {logs.some(({ l }) => l !== 'log') && (
        <SegmentedControl
          size="xs"
          aria-label="Levels shown"
          style={{ alignSelf: 'flex-start' }}
          value={level}
          onChange={setLevel}
          data={(Object.keys(LEVELS) as Level[]).map((value) => ({ value, label: LEVELS[value] }))}
        />
      )}
      <div className="well clip">
        {shown.length === 0 ? (
          <p className="note small">None of this level.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
          <ol className={classes.log} tabIndex={0} data-scrolls aria-label="Log">
            {shown.map(({ m, l, t }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a log never change.
              <li key={index} data-level={l}>
                <span className="muted">+{formatLatency(Math.max(0, t - startedAt))}</span>
                <span className="muted">{l}</span>
                <bdi>{m}</bdi>
              </li>
            ))}
          </ol>
        )}
      </div>
    </>
  );
}
