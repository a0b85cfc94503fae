/** /sudo-queues: dead-lettered queue messages, for platform staff. */
import { DeadLetters } from '#web/domains/sudo/dead-letters.tsx';
import { paths } from '#web/paths.ts';
import { Page } from '#web/ui/page/page.tsx';

export function SudoQueuesPage() {
  return (
    <Page
      subtitle="Messages that failed every retry. Retrying is safe, even if the work was done in the meantime."
      parents={[{ label: 'Sudo Orgs', to: paths.sudoOrganisations }]}
    >
      <DeadLetters />
    </Page>
  );
}
