/** The empty state of the plans page: what plans are for, and four steps to a working one. */
import { Anchor, Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import classes from './plans-guide.module.css';

interface Step {
  readonly title: string;
  readonly text: string;
  /** The page of the first step, if it is a different page. */
  readonly link?: { readonly label: string; readonly to: (orgId: string) => string };
}

const STEPS: readonly Step[] = [
  {
    title: 'Create a plan',
    text: 'A name that your customers know, and the slug that your code asks for.',
  },
  {
    title: 'Connect payment-provider products (optional)',
    text: 'Whoever pays for the product has the plan.',
    link: { label: 'Connect Stripe under Integrations', to: paths.integrations },
  },
  { title: 'Add features', text: 'Choose which of your features belong to it.' },
  { title: 'Configure feature entitlements', text: 'Say how much of each: limits, switches, texts.' },
];

export function PlansGuide({ orgId, action }: { orgId: string; action: ReactNode }) {
  return (
    <EmptyState title="No plans" action={action}>
      <Box component="p" mt={0} mb={20}>
        A plan gives values to the properties of your features. Whoever has it gets these values with the next
        access check.
      </Box>
      <ol className={classes.steps}>
        {STEPS.map(({ title, text, link }) => (
          <li key={title}>
            <Text span c="var(--text)" fw={500} fz="md">
              {title}
            </Text>
            <span>
              {text}
              {link && (
                <>
                  {' '}
                  <Anchor
                    component={Link}
                    to={link.to(orgId)}
                    fz="inherit"
                    style={{ textDecoration: 'underline', textUnderlineOffset: '2px' }}
                  >
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
