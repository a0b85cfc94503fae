/** Dashboard checklist of a new organisation, in place of empty charts. */
import { Button, Skeleton } from '@mantine/core';
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
        <div className={classes.progress}>
          <span className={classes.tiles} aria-hidden="true">
            {steps.map(({ id, isDone }) => (
              <span key={id} className={classes.progressTile} data-done={isDone || undefined} />
            ))}
          </span>
          {done} of {steps.length} done
        </div>
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
                {step.isDone && <span className={classes.done}>Done</span>}
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
