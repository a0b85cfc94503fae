/** What stands in the form's place while the settings are loading. */
import { Skeleton } from '@mantine/core';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';

const FIELDS = [
  ['name', 32],
  ['description', 76],
] as const;

export function SettingsFormSkeleton() {
  return (
    <Section title="General" description="What your team sees in the sidebar, in invitations and in mail.">
      <Fields>
        {FIELDS.map(([field, height]) => (
          <div key={field}>
            <Skeleton height={12} width={72} mb={8} />
            <Skeleton height={height} />
          </div>
        ))}
      </Fields>
    </Section>
  );
}
