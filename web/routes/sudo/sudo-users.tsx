/** /sudo-users: every user, for platform staff. */
import { useQuery } from '@tanstack/react-query';
import { sudoUsersQuery } from '#web/domains/sudo/queries.ts';
import { SearchField, useSudoSearch } from '#web/domains/sudo/search-field.tsx';
import { UsersTable } from '#web/domains/sudo/users-table.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function SudoUsersPage() {
  const { text, setText, search } = useSudoSearch();
  const { data, error, refetch } = useQuery(sudoUsersQuery(search));
  return (
    <Page subtitle="Everyone with an account.">
      <SearchField label="Search by name, email or ID" text={text} setText={setText} />
      {data === undefined && error !== null ? (
        <ErrorState title="The users could not be loaded" error={error} onRetry={refetch} />
      ) : (
        <UsersTable users={data} />
      )}
    </Page>
  );
}
