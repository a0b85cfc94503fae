/** The outcome of a run: its result, logs, and what the access check answers because of it. */
import { Box, Flex, Stack } from '@mantine/core';
import { IconArrowRight, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { workflowRunEndpoints } from '#contracts/console/workflow-runs';
import type { AnswerOf } from '#contracts/public/endpoint';
import { AddTestButton } from '#web/forms/add-test-button.tsx';
import { formatLatency } from '#web/ui/format.ts';
import { ExecutionLogs } from '#web/values/execution-logs.tsx';
import { compareAnswers } from './compare-answers.ts';
import { JsonPart } from './json-part.tsx';
import classes from './run-pane.module.css';

type WorkflowRun = AnswerOf<typeof workflowRunEndpoints.run>;

export function RunResult({ run }: { run: WorkflowRun }) {
  const { execution, before, after } = run;
  const { success, wallTime, result, logs, diagnosticMessages } = execution;
  return (
    <div className={classes.result} role="status" aria-label="Result">
      <Box component="p" c={success ? 'var(--allowed)' : 'var(--denied)'} className="row gap-6 flush">
        {success ? <IconCircleCheck size={16} aria-hidden /> : <IconCircleX size={16} aria-hidden />}
        <span className="medium">{success ? 'Succeeded' : 'Workflow Failed'}</span>
        <span className="faint tiny figures">{formatLatency(wallTime)}</span>
      </Box>
      <div>
        <AddTestButton execution={execution} />
      </div>
      {diagnosticMessages.length > 0 && (
        <Box
          component="ul"
          py={8}
          px={12}
          className="list small breaks denied round-6"
          aria-label="Diagnostics"
        >
          {diagnosticMessages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished run never changes
            <li key={index}>{message}</li>
          ))}
        </Box>
      )}
      {before !== null && after !== null && (
        <Part title="Access check">
          <Changes changes={compareAnswers(before.response, after.response)} />
        </Part>
      )}
      {success && <JsonPart title="Result" value={result} />}
      <Part title="Logs">
        <Stack gap={8} mt={4}>
          <ExecutionLogs logs={logs} />
        </Stack>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="muted tiny medium flush">{title}</h3>
      {children}
    </section>
  );
}

function Changes({ changes }: { changes: ReturnType<typeof compareAnswers> }) {
  if (changes.length === 0) return <p className="faint small flush">No change</p>;
  return (
    <dl className="facts tiny">
      {changes.map(({ label, before, after }) => (
        <Flex key={label} wrap="wrap" justify="space-between" gap="0 12px" py={4}>
          <dt className="breaks">{label}</dt>
          <Flex
            component="dd"
            display="inline-flex"
            align="center"
            gap={4}
            wrap="wrap"
            className="mono breaks"
          >
            <span className="faint">{before ?? 'none'}</span>
            <IconArrowRight size={12} role="img" aria-label="becomes" className="rigid" />
            <span>{after ?? 'none'}</span>
          </Flex>
        </Flex>
      ))}
    </dl>
  );
}
