/** /sudo-orgs: every organisation, for platform staff. */
import { Button, Flex, Text } from '@mantine/core';
import { IconBan, IconMailExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { SudoOrganisation } from '#contracts/console/sudo';
import { sudoOrganisationsQuery } from '#web/domains/sudo/queries.ts';
import { RestoredDatabase } from '#web/domains/sudo/restored-database.tsx';
import { SearchField, useSudoSearch } from '#web/domains/sudo/search-field.tsx';
import { paths } from '#web/paths.ts';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';

export function SudoOrgsPage() {
  const { text, setText, search } = useSudoSearch();
  const { data, error, refetch } = useQuery(sudoOrganisationsQuery(search));
  return (
    <Page
      subtitle="All organisations. Open one to see it as its members do."
      actions={
        <>
          <RestoredDatabase />
          <Button
            component={Link}
            to={paths.sudoQueues}
            variant="default"
            leftSection={<IconMailExclamation size={16} aria-hidden />}
          >
            Undelivered messages
          </Button>
        </>
      }
    >
      <SearchField label="Search by name or ID" text={text} setText={setText} />
      {data === undefined && error !== null ? (
        <ErrorState title="The organisations could not be loaded" error={error} onRetry={refetch} />
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
              cell: ({ id }) => <CopyId value={id} label="organisation ID" />,
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

/** With an icon and the reason if the organisation is blocked. */
function OrganisationName({ organisation: { name, block } }: { organisation: SudoOrganisation }) {
  if (!block.isBlocked) return name;
  return (
    <Flex component="span" display="inline-flex" align="baseline" gap={6}>
      <IconBan
        size={15}
        aria-label="Blocked"
        role="img"
        color="var(--mantine-color-error)"
        style={{ flex: 'none', alignSelf: 'center' }}
      />
      <span>
        {name}{' '}
        <Text span inherit c="dimmed" fw={400}>{`(${block.blockReason ?? 'no reason given'} block)`}</Text>
      </span>
    </Flex>
  );
}
