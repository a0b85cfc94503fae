/**
 * The dashboard's guide for a new organisation: progress of the quick start, then the steps from an empty workspace to a
 * deployed version. Shown until everything is done, or the guide is dismissed or hidden.
 */
import { Box, Button, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowRight, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { VisuallyHidden } from '#web/ui/labels/visually-hidden.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { type FirstStep, nextFirstStep } from './first-steps.ts';
import { ProgressBar } from './progress-bar.tsx';
import classes from './quickstart.module.css';
import { completedCount, currentStep, isComplete, type QuickstartStep, STEP_COUNT } from './steps.ts';

export interface QuickstartCardProps {
  readonly steps: readonly QuickstartStep[];
  readonly firstSteps: readonly FirstStep[];
  /** Does the next of the first steps. */
  readonly action: ReactNode;
  readonly isFinished: boolean;
  readonly isBusy: boolean;
  readonly onDismiss: () => void;
  /** In place of `onDismiss` once the quick start is finished: nothing is left to dismiss. */
  readonly onHide: () => void;
}

const TITLE = 'Quick start';
const DESCRIPTION = 'From sign-up to live access checks.';

export function QuickstartCard(props: QuickstartCardProps) {
  const { steps, firstSteps, action, isFinished, isBusy, onDismiss, onHide } = props;
  return (
    <Section
      title={TITLE}
      description={DESCRIPTION}
      actions={
        <Button
          variant="subtle"
          color="gray"
          className={classes.dismiss}
          onClick={isFinished ? onHide : onDismiss}
          disabled={isBusy}
        >
          {isFinished ? 'Hide' : "Nah, I'll Wing It!"}
        </Button>
      }
      isFlush
    >
      <div className={classes.chapters}>
        {!isFinished && <Connecting steps={steps} />}
        <Building steps={firstSteps} action={action} />
      </div>
    </Section>
  );
}

function Connecting({ steps }: { steps: readonly QuickstartStep[] }) {
  const current = currentStep(steps);
  const completed = completedCount(steps);
  return (
    <Chapter title="Connect your stack" completed={completed} total={STEP_COUNT}>
      <Box component="ol" mx={-8} className="list column" aria-label="Connect your stack">
        {steps
          .filter((step) => !step.isSubStep || step.id === current)
          .map((step) => (
            <Row
              key={step.id}
              title={step.title}
              state={isComplete(step) ? step.status : step.id === current ? 'next' : 'later'}
            />
          ))}
      </Box>
      <div>
        <Button
          component={Link}
          to={paths.quickstart}
          rightSection={<IconArrowRight size={15} aria-hidden />}
        >
          {completed === 0 ? 'Start' : 'Continue'}
        </Button>
      </div>
    </Chapter>
  );
}

function Building({ steps, action }: { steps: readonly FirstStep[]; action: ReactNode }) {
  const next = nextFirstStep(steps);
  const completed = steps.filter(({ isDone }) => isDone).length;
  return (
    <Chapter title="Ship your first version" completed={completed} total={steps.length}>
      <Box component="ol" mx={-8} className="list column" aria-label="Ship your first version">
        {steps.map((step) => (
          <Row
            key={step.id}
            title={step.title}
            state={step.isDone ? 'done' : step === next ? 'next' : 'later'}
            description={step === next ? step.description : undefined}
          />
        ))}
      </Box>
      {action}
    </Chapter>
  );
}

interface ChapterProps {
  readonly title: string;
  readonly completed: number;
  readonly total: number;
  readonly children: ReactNode;
}

function Chapter({ title, completed, total, children }: ChapterProps) {
  return (
    <div className={classes.chapter}>
      <Title order={3} fz="sm" fw={600}>
        {title}
      </Title>
      <ProgressBar completed={completed} total={total} label={title} />
      {children}
    </div>
  );
}

interface RowProps {
  readonly title: string;
  readonly state: string;
  readonly description?: string | undefined;
}

function Row({ title, state, description }: RowProps) {
  const isDone = state === 'done' || state === 'in-progress-done';
  return (
    <li className={classes.row} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
      <span
        className={classes.tile}
        data-status={state}
        data-next={state === 'next' || undefined}
        aria-hidden="true"
      >
        {isDone && <IconCheck size={12} stroke={3} />}
      </span>
      <Box
        component="span"
        className="fill"
        c={state === 'done' || state === 'skipped' ? 'dimmed' : undefined}
        td={state === 'skipped' ? 'line-through' : undefined}
      >
        {title}
        {description !== undefined && (
          <Text span display="block" c="dimmed" fz="sm" fw={400}>
            {description}
          </Text>
        )}
        {isDone && <VisuallyHidden> Done</VisuallyHidden>}
        {state === 'skipped' && <VisuallyHidden> Skipped</VisuallyHidden>}
      </Box>
    </li>
  );
}

export function QuickstartCardSkeleton() {
  return (
    <Section title={TITLE} description={DESCRIPTION} isFlush>
      <div className={classes.chapters}>
        {[0, 1].map((chapter) => (
          <div key={chapter} className={classes.chapter}>
            {[0, 1, 2, 3, 4, 5, 6].map((row) => (
              <Skeleton key={row} height={26} />
            ))}
          </div>
        ))}
      </div>
    </Section>
  );
}
