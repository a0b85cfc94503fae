/** What the manage tab of an environment shows while it loads: cards of the real shape. */
import { Skeleton } from '@mantine/core';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './environments.module.css';

const FACTS = ['version', 'status', 'last-deployed'];
const FIELDS = [
  ['name', 32],
  ['description', 52],
  ['url', 32],
] as const;

export function EnvironmentSkeleton() {
  return (
    <>
      <Section title="Deployment" footer={<Skeleton height={32} width={150} />}>
        <div className={classes.factList} aria-busy="true">
          {FACTS.map((fact) => (
            <div key={fact}>
              <Skeleton height={12} width={72} />
              <Skeleton height={16} width={110} mt={8} />
            </div>
          ))}
        </div>
      </Section>
      <Section title="Details" description="How your team tells this environment from the others.">
        <Fields>
          {FIELDS.map(([field, height]) => (
            <div key={field}>
              <Skeleton height={12} width={72} mb={8} />
              <Skeleton height={height} />
            </div>
          ))}
        </Fields>
      </Section>
    </>
  );
}
