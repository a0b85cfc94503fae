/** /sudo-queues: messages that were given up after all their tries, for platform staff. */
import { DeadLetters } from '../features/sudo/dead-letters.tsx';
import { paths } from '../paths.ts';
import { Page } from '../ui/page.tsx';

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
