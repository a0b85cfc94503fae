/** The empty state of the plans page: what plans are for, and four steps to a working one. */
import { Anchor, Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
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
    text: 'A name for your customers, and a slug for your code.',
  },
  {
    title: 'Connect payment-provider products (optional)',
    text: 'Customers who subscribe to the product get the plan.',
    link: { label: 'Connect Stripe under Integrations', to: paths.integrations },
  },
  { title: 'Add features', text: 'Choose the features that belong to the plan.' },
  { title: 'Configure feature entitlements', text: 'Set their values: limits, switches, texts.' },
];

export function PlansGuide({ action }: { action: ReactNode }) {
  const orgId = useOrgId();
  return (
    <EmptyState
      title="No plans"
      example={'Starter    5 seats · 10 exports\nPro       50 seats · SSO'}
      action={action}
      docs={<Link to={paths.apiDocsSection('access-checks')}>What an access check returns</Link>}
    >
      <Box component="p" mt={0} mb={20}>
        Plans set your features’ values. Customers on a plan receive its values with their next access check.
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
