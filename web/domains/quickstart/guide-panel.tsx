/** The right panel of the quick start: progress, the steps, and the ways out. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { ProgressBar } from './progress-bar.tsx';
import classes from './quickstart.module.css';
import { StepList, type StepListProps } from './step-list.tsx';
import { completedCount, STEP_COUNT } from './steps.ts';

export interface GuidePanelProps extends StepListProps {
  readonly isFinished: boolean;
  readonly isDismissed: boolean;
  /** A change of the status is being saved. */
  readonly isBusy: boolean;
  readonly onSkip: () => void;
  readonly onDismiss: () => void;
}

export function GuidePanel(props: GuidePanelProps) {
  const { isFinished, isDismissed, isBusy, onSkip, onDismiss, ...list } = props;
  return (
    <aside className={classes.panel} aria-labelledby="quick-start-guide">
      <div>
        <Title order={2} id="quick-start-guide">
          Quick Start Guide
        </Title>
        <Text c="dimmed">Connect your stack in a few steps</Text>
      </div>
      <ProgressBar completed={completedCount(list.steps)} total={STEP_COUNT} label="Quick start" />
      <StepList {...list} />
      <Stack gap={8}>
        <Button variant="default" fullWidth onClick={onSkip} disabled={isBusy}>
          {isFinished || isDismissed ? 'Go to Dashboard' : 'Skip & Go to Dashboard'}
        </Button>
        {!isFinished &&
          (isDismissed ? (
            <Text c="dimmed" fz="sm" ta="center" role="status">
              Dismissed. The quick start no longer opens when you sign in.
            </Text>
          ) : (
            <Button variant="subtle" color="gray" fullWidth onClick={onDismiss} disabled={isBusy}>
              Nah, I'll Wing It!
            </Button>
          ))}
      </Stack>
    </aside>
  );
}
