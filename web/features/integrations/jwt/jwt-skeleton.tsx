/** What an integration's page shows while it loads: sections of the real shape. */
import { Skeleton } from '@mantine/core';
import { Section } from '../../../ui/section.tsx';
import classes from './jwt.module.css';

const FIELDS = ['first', 'second', 'third', 'fourth'];

export function JwtSkeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading">
      <Section title="Manage" description="Whose tokens these are, and how their bearer is found.">
        <div className={classes.skeletonFields}>
          {FIELDS.map((field) => (
            <Skeleton key={field} height={32} />
          ))}
        </div>
      </Section>
      <Section
        title="Public key"
        description="A token is believed only if one of these keys verifies its signature."
      >
        <Skeleton height={14} width="60%" />
        <Skeleton height={96} mt={20} />
      </Section>
    </div>
  );
}
