/** A workflow's settings while they load. */
import { Skeleton, Stack } from '@mantine/core';
import { Section } from '#web/ui/page/section.tsx';

export function WorkflowSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Section
        title="Details"
        description="Changes reach the preview environment within seconds, and other environments with the next version you deploy."
      >
        <Stack gap={20} maw={480}>
          <Skeleton height={32} />
          <Skeleton height={60} />
          <Skeleton height={20} width="40%" />
        </Stack>
      </Section>
    </div>
  );
}
