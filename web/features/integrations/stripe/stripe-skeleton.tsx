/** What an integration's page shows while it loads: tabs and sections of the real shape. */
import { Skeleton } from '@mantine/core';
import { Section } from '../../../ui/section.tsx';
import classes from './stripe.module.css';

export function StripeSkeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading">
      <div className={classes.skeletonTabs}>
        <Skeleton height={14} width={56} />
        <Skeleton height={14} width={76} />
        <Skeleton height={14} width={64} />
      </div>
      <Section title="Details" description="What the account is called here. Stripe is told nothing of it.">
        <Skeleton height={32} maw={480} />
        <Skeleton height={56} maw={480} mt={24} />
      </Section>
      <Section title="Secret key">
        <Skeleton height={32} maw={640} />
      </Section>
    </div>
  );
}
