/** The plan's form while the plan loads. */
import { Group, Skeleton, Stack } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';

const FIELDS = [
  ['name', 32],
  ['slug', 32],
  ['description', 58],
] as const;

const SWITCHES = ['anonymous', 'registered'];

export function PlanFormSkeleton() {
  return (
    <Section
      isSplit
      title="Details"
      description="The plan’s name, and the slug your code uses."
      footer={<Skeleton height={32} width={58} />}
    >
      <Stack gap={16} maw={480} aria-busy="true">
        {FIELDS.map(([field, height]) => (
          <Stack key={field} gap={6}>
            <Skeleton height={12} width={72} />
            <Skeleton height={height} radius="md" />
          </Stack>
        ))}
        {SWITCHES.map((field) => (
          <Group key={field} gap={12} wrap="nowrap" align="flex-start">
            <Skeleton height={20} width={36} radius="xl" />
            <Stack gap={8} flex={1} pt={3}>
              <Skeleton height={14} maw={172} />
              <Skeleton height={12} maw={248} />
            </Stack>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
