/** What an organisation without plans sees: what they are for, and the way to a working one in four steps. */
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './plans-guide.module.css';

interface Step {
  readonly title: string;
  readonly words: string;
  /** Where it begins, where that is another page. */
  readonly link?: { readonly label: string; readonly to: (orgId: string) => string };
}

const STEPS: readonly Step[] = [
  {
    title: 'Create a plan',
    words: 'A name that your customers know, and the slug that your code asks for.',
  },
  {
    title: 'Connect payment-provider products (optional)',
    words: 'Whoever pays for the product has the plan.',
    link: { label: 'Connect Stripe under Integrations', to: paths.integrations },
  },
  { title: 'Add features', words: 'Choose which of your features belong to it.' },
  { title: 'Configure feature entitlements', words: 'Say how much of each: limits, switches, texts.' },
];

export function PlansGuide({ orgId, action }: { orgId: string; action: ReactNode }) {
  return (
    <EmptyState title="No plans" action={action}>
      <p className={classes.words}>
        A plan gives values to the properties of your features. Whoever has it gets these values with the next
        access check.
      </p>
      <ol className={classes.steps}>
        {STEPS.map(({ title, words, link }) => (
          <li key={title}>
            <span className={classes.title}>{title}</span>
            <span>
              {words}
              {link && (
                <>
                  {' '}
                  <Anchor component={Link} to={link.to(orgId)} className={classes.link}>
                    {link.label}
                  </Anchor>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </EmptyState>
  );
}
