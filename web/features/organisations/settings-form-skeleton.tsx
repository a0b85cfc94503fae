/** What stands in the form's place while the settings are loading. */
import { Skeleton } from '@mantine/core';
import { Fields } from '../../ui/fields.tsx';
import { Section } from '../../ui/section.tsx';

export function SettingsFormSkeleton() {
  return (
    <Section title="General" description="What your team sees in the sidebar, in invitations and in mail.">
      <Fields>
        <Skeleton height={56} />
        <Skeleton height={98} />
      </Fields>
    </Section>
  );
}
