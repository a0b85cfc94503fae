/** Loading state of the settings form. */
import { Skeleton } from '@mantine/core';
import { Fields } from '#web/ui/inputs/fields.tsx';
import { Section } from '#web/ui/page/section.tsx';

const FIELDS = [
  ['name', 32],
  ['description', 76],
] as const;

export function SettingsFormSkeleton() {
  return (
    <Section
      isSplit
      title="General"
      description="Shown in the sidebar, in invitations and in emails."
      footer={<Skeleton height={32} width={58} />}
    >
      <Fields>
        {FIELDS.map(([field, height]) => (
          <div key={field}>
            <Skeleton height={12} width={72} mt={4} mb={11} />
            <Skeleton height={height} />
          </div>
        ))}
      </Fields>
    </Section>
  );
}
