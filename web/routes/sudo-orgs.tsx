/** /sudo-orgs: every organisation, for platform staff. */
import { Button } from '@mantine/core';
import { IconMailExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { OrganisationName } from '#web/domains/sudo/organisation-name.tsx';
import { sudoOrganisationsQuery } from '#web/domains/sudo/queries.ts';
import { SearchField, useSudoSearch } from '#web/domains/sudo/search-field.tsx';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy-id.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ListTable } from '#web/ui/list-table.tsx';
import { Page } from '#web/ui/page.tsx';

export function SudoOrgsPage() {
  const { text, setText, search } = useSudoSearch();
  const { data, error, refetch } = useQuery(sudoOrganisationsQuery(search));
  return (
    <Page
      title="Sudo Orgs"
      subtitle="Every organisation. Opening one shows it as its own people see it."
      crumbs={[{ label: 'Dashboard', to: paths.home }, { label: 'Sudo Orgs' }]}
      actions={
        <Button
          component={Link}
          to={paths.sudoQueues}
          variant="default"
          leftSection={<IconMailExclamation size={16} aria-hidden />}
        >
          Undelivered messages
        </Button>
      }
    >
      <SearchField label="Search by name or id" text={text} setText={setText} />
      {data === undefined && error !== null ? (
        <ErrorState
          title="The organisations could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <ListTable
          label="Organisations"
          rows={data}
          rowKey={({ id }) => id}
          rowTo={({ id }) => paths.dashboard(id)}
          isRowLoaded
          isSearchable={false}
          name={{
            header: 'Name',
            cell: ({ name }) => name,
            shown: (organisation) => <OrganisationName organisation={organisation} />,
          }}
          columns={[
            {
              header: 'ID',
              cell: ({ id }) => <CopyId value={id} label="id" />,
              width: 330,
              isSecondary: true,
            },
            { header: 'Plan', cell: ({ planDisplayName }) => planDisplayName, width: 96 },
          ]}
        />
      )}
    </Page>
  );
}
