/** Loading state of the user form. */
import { Skeleton, Stack } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';

const FIELDS = ['name', 'email'];

export function UserSkeleton() {
  return (
    <Section title="User" description="Account details and access.">
      <Stack gap={16} role="status" aria-label="Loading">
        <Skeleton height={22} width={280} />
        {FIELDS.map((field) => (
          <div key={field}>
            <Skeleton height={12} width={60} mb={8} />
            <Skeleton height={36} maw={480} />
          </div>
        ))}
        <Skeleton height={20} width={140} />
        <Skeleton height={20} width={140} />
      </Stack>
    </Section>
  );
}
