/** The plan's form while the plan loads. */
import { Skeleton, Stack } from '@mantine/core';
import { Section } from '#web/ui/section.tsx';

const FIELDS = [
  ['name', 32],
  ['slug', 32],
  ['description', 58],
] as const;

export function PlanFormSkeleton() {
  return (
    <Section isSplit title="Details" description="The plan’s name, and the slug your code uses.">
      <Stack gap={16} maw={480} aria-busy="true">
        {FIELDS.map(([field, height]) => (
          <Stack key={field} gap={6}>
            <Skeleton height={12} width={72} />
            <Skeleton height={height} radius="md" />
          </Stack>
        ))}
        <Skeleton height={20} width={220} />
        <Skeleton height={20} width={220} />
      </Stack>
    </Section>
  );
}
