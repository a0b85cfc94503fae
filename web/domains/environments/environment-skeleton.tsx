/** Loading state of an environment's manage tab, in the layout of the real sections. */
import { Skeleton } from '@mantine/core';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { EnvironmentDeploymentSkeleton } from './deployments/environment-deployment.tsx';

const FIELDS = [
  ['name', 32],
  ['description', 52],
  ['url', 32],
] as const;

export function EnvironmentSkeleton() {
  return (
    <>
      <EnvironmentDeploymentSkeleton />
      <Section isSplit title="Details" description="Name and description for your team.">
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
