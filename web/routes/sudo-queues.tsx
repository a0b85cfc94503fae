/** /sudo-queues: dead-lettered queue messages, for platform staff. */
import { DeadLetters } from '#web/domains/sudo/dead-letters.tsx';
import { paths } from '#web/paths.ts';
import { Page } from '#web/ui/page.tsx';

export function SudoQueuesPage() {
  return (
    <Page
      title="Undelivered messages"
      subtitle="Work that failed on every try. Trying again does no harm where it was done meanwhile."
      crumbs={[
        { label: 'Dashboard', to: paths.home },
        { label: 'Sudo Orgs', to: paths.sudoOrganisations },
        { label: 'Undelivered messages' },
      ]}
    >
      <DeadLetters />
    </Page>
  );
}
