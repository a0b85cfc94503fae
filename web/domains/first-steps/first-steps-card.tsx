/** Dashboard checklist of a new organisation, in place of empty charts. */
import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArrowRight, IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Section } from '#web/ui/section.tsx';
import classes from './first-steps.module.css';
import { nextStep, type Step } from './first-steps.ts';

const DESCRIPTION = 'Five steps to the first answer. Usage shows here once your application asks.';

/** Undefined while loading. */
export function FirstStepsCard({ steps }: { steps: readonly Step[] | undefined }) {
  if (steps === undefined) return <FirstStepsSkeleton />;
  const next = nextStep(steps);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title="First steps"
      description={DESCRIPTION}
      actions={
        <Group gap={10} wrap="nowrap" c="dimmed" fz="sm" mih={24}>
          <Box component="span" display="inline-flex" style={{ gap: '3px' }} aria-hidden="true">
            {steps.map(({ id, isDone }) => (
              <span key={id} className={classes.progressTile} data-done={isDone || undefined} />
            ))}
          </Box>
          <span>
            {done} of {steps.length} done
          </span>
        </Group>
      }
      isFlush
    >
      <ol className="list">
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={classes.step}
            data-state={step.isDone ? 'done' : step === next ? 'next' : 'later'}
            aria-current={step === next ? 'step' : undefined}
          >
            <span className={classes.number} aria-hidden="true">
              {step.isDone ? <IconCheck size={15} stroke={2.2} /> : index + 1}
            </span>
            <div className={classes.text}>
              <div className={classes.title}>
                {step.title}
                {step.isDone && (
                  <Text span fz="xs" fw={500} c="var(--accent-text)">
                    Done
                  </Text>
                )}
              </div>
              <div className="muted small">{step.description}</div>
            </div>
            <Button
              component={Link}
              to={step.to}
              variant={step === next ? 'filled' : 'subtle'}
              {...(step !== next && { color: 'gray' })}
              rightSection={<IconArrowRight size={15} aria-hidden />}
              className={classes.action}
            >
              {step.action}
            </Button>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function FirstStepsSkeleton() {
  return (
    <Section title="First steps" description={DESCRIPTION} isFlush>
      <div className="list">
        {[1, 2, 3, 4, 5].map((step) => (
          <div key={step} className={classes.step}>
            <Skeleton height={28} width={28} />
            <Skeleton height={32} maw={360} />
          </div>
        ))}
      </div>
    </Section>
  );
}
