/** The empty state of the workflows page: what workflows decide, with an example. */
import { Box } from '@mantine/core';
import { IconArrowsSplit2, IconPlugConnected, IconUserPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/paths.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import classes from './workflows-guide.module.css';

const KINDS = [
  {
    icon: IconUserPlus,
    title: 'Provisioning',
    text: 'Choose plans per request: a trial for new customers, a plan for one country.',
  },
  {
    icon: IconArrowsSplit2,
    title: 'Access decisions',
    text: 'Set one feature’s values by customer, country and usage.',
  },
  {
    icon: IconPlugConnected,
    title: 'Integrations',
    text: 'Act on what Stripe knows: metadata, subscription status, trial dates.',
  },
];

const EXAMPLE = `export default function workflow({ place }: WorkflowInput) {
  return place.continent === 'EU' ? ['pro-eu'] : [];
}`;

export function WorkflowsGuide({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      title="No workflows"
      action={action}
      docs={
        <Link to={paths.apiDocsSection('warnings')}>What an access check returns when a workflow fails</Link>
      }
    >
      <Box component="p" mt={0} mb={20}>
        A workflow is TypeScript that runs inside your access checks and overrides plans with your own rules.
        Write it here, test it on real events, and deploy it with a version.
      </Box>
      <ul className={classes.kinds} aria-label="What workflows are for">
        {KINDS.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <Icon size={17} stroke={1.6} aria-hidden />
            <span className="strong medium">{title}</span>
            <span className="small">{text}</span>
          </li>
        ))}
      </ul>
      <pre className={classes.example}>{EXAMPLE}</pre>
      <Box component="p" mt={12} mb={0} className="small">
        A visual builder is coming soon.
      </Box>
    </EmptyState>
  );
}
