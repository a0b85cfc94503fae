/** The quick start's steps as a list of buttons: number, title and status. The current one is marked. */
import { Box, Flex } from '@mantine/core';
import { IconCheck, IconLoader2 } from '@tabler/icons-react';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import classes from './quickstart.module.css';
import type { QuickstartStep, StepId, StepStatus } from './steps.ts';
import { canOpen } from './wizard.ts';

export interface StepListProps {
  readonly steps: readonly QuickstartStep[];
  /** The first open step. */
  readonly current: StepId;
  /** The step on screen. */
  readonly shown: StepId | null;
  /** The API has been called: the last step is done once the reader finishes. */
  readonly hasCalls: boolean;
  readonly onOpen: (id: StepId) => void;
}

const STATUS_TEXT: Readonly<Record<StepStatus, string | null>> = {
  'not-started': null,
  'in-progress': 'In progress',
  'in-progress-done': 'Done. Sync still running',
  done: 'Done',
  skipped: 'Skipped',
};

export function StepList({ steps, current, shown, hasCalls, onOpen }: StepListProps) {
  return (
    <Flex component="ol" direction="column" className="list" aria-label="Steps">
      {steps.map((step) => {
        const { id, title, isOptional, isSubStep, status } = step;
        const statusText = STATUS_TEXT[status];
        const note = isOptional ? 'Optional' : id === 'api' && hasCalls && 'Call arrived';
        return (
          <Box key={id} component="li" pl={isSubStep ? 30 : undefined}>
            <button
              type="button"
              className={classes.stepButton}
              disabled={!canOpen(steps, id, current)}
              aria-current={id === shown ? 'step' : undefined}
              onClick={() => onOpen(id)}
            >
              <StepTile status={status} isNext={id === current} />
              <Box
                component="span"
                className="fill"
                {...(status === 'skipped' && { c: 'dimmed', td: 'line-through' })}
              >
                {title}
              </Box>
              {statusText !== null && <VisuallyHidden> {statusText}</VisuallyHidden>}
              {note && status === 'not-started' && <span className="muted tiny regular"> {note}</span>}
            </button>
          </Box>
        );
      })}
    </Flex>
  );
}

function StepTile({ status, isNext }: { status: StepStatus; isNext: boolean }) {
  return (
    <span className={classes.tile} data-status={status} data-next={isNext || undefined} aria-hidden="true">
      {(status === 'done' || status === 'in-progress-done') && <IconCheck size={12} stroke={3} />}
      {status === 'in-progress' && <IconLoader2 size={12} stroke={2.5} className={classes.turning} />}
    </span>
  );
}
