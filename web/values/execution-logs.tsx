/** The log of a workflow's execution, by level. */
import { Box, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowExecution } from '#contracts/console/workflow-executions';
import { formatLatency } from '#web/ui/format.ts';
import classes from './execution-logs.module.css';

const LEVELS = { all: 'All', warn: 'Warnings', error: 'Errors' } as const;
type Level = keyof typeof LEVELS;
const LINE_COLOURS: Readonly<Record<string, string>> = {
  warn: 'var(--warning-soft)',
  error: 'var(--denied-soft)',
};

export function ExecutionLogs({ logs }: Pick<WorkflowExecution, 'logs'>) {
  const [level, setLevel] = useState<Level>('all');
  const startedAt = logs[0]?.t ?? 0;
  const shown = logs.filter(({ l }) => level === 'all' || l === level);
  if (logs.length === 0) return <p className="flush small muted">No logs.</p>;
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
          <p className="note small">No logs at this level.</p>
        ) : (
          <Box
            component="ol"
            mah={320}
            style={{ overflow: 'auto' }}
            className="list mono tiny inset-focus"
            tabIndex={0}
            data-scrolls
            aria-label="Log"
          >
            {shown.map(({ m, l, t }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a log never change.
              <Box key={index} component="li" bg={LINE_COLOURS[l]} className={classes.line}>
                <span className="muted">+{formatLatency(Math.max(0, t - startedAt))}</span>
                <span className="muted">{l}</span>
                <bdi>{m}</bdi>
              </Box>
            ))}
          </Box>
        )}
      </div>
    </>
  );
}
