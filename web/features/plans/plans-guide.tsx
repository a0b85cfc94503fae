/** What an organisation without plans sees: what they are for, and the way to a working one in four steps. */
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './plans-guide.module.css';

const STEPS = [
  ['Create a plan', 'A name that your customers know, and the slug that your code asks for.'],
  ['Connect payment-provider products (optional)', 'Whoever pays for the product has the plan.'],
  ['Add features', 'Choose which of your features belong to it.'],
  ['Configure feature entitlements', 'Say how much of each: limits, switches, texts.'],
] as const;

export function PlansGuide({ action }: { action: ReactNode }) {
  return (
    <EmptyState title="No plans" action={action}>
      <p className={classes.words}>
        A plan gives values to the properties of your features. Whoever has it gets these values with the next
        access check.
      </p>
      <ol className={classes.steps}>
        {STEPS.map(([title, words]) => (
          <li key={title}>
            <span className={classes.title}>{title}</span>
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </EmptyState>
  );
}
