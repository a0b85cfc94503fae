/** The customers or products that a sync has stored: one searchable, server-paged table for both. */
import { Button } from '@mantine/core';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MAX_SYNCED_SEARCH, type StripeIntegration, type SyncType } from '#contracts/console/stripe';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { CopyId } from '#web/ui/copy/copy-id.tsx';
import type { Column, ListTableProps } from '#web/ui/lists/list-columns.ts';
import { ListTable } from '#web/ui/lists/list-table.tsx';
import { PagedList } from '#web/ui/lists/paged-list.tsx';
import { usePages } from '#web/ui/lists/use-pages.ts';
import { EmptyState } from '#web/ui/states/empty-state.tsx';
import { ErrorState } from '#web/ui/states/error-state.tsx';
import { lastJob } from './connect-steps.ts';
import { isSyncing, type StoredPage } from './queries.ts';

interface SyncedRow {
  readonly id: string;
}

interface RowPage<Row> {
  items: Row[];
  nextCursor: string | null;
  total: number;
}

// biome-ignore-start lint/suspicious/noExplicitAny: each list has its own type of query key.
type PageQuery<Row> = (
  orgId: string,
  integrationId: string,
  page: StoredPage,
) => UseQueryOptions<RowPage<Row>, Error, RowPage<Row>, any>;
// biome-ignore-end lint/suspicious/noExplicitAny: see above.

/** The list's search, stored in the URL. */
export interface SearchState {
  /** As typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The search: the text, once typing has paused. */
  readonly query: string;
}

export interface SyncedListProps<Row extends SyncedRow> extends SearchState {
  readonly integration: StripeIntegration;
  readonly noun: 'customer' | 'product';
  readonly syncType: SyncType;
  readonly placeholder: string;
  readonly pageQuery: PageQuery<Row>;
  readonly name: ListTableProps<Row>['name'];
  readonly rowTo?: (row: Row) => string;
  /** After the Stripe ID. */
  readonly columns: readonly Column<Row>[];
}

export function SyncedList<Row extends SyncedRow>(props: SyncedListProps<Row>) {
  const orgId = useOrgId();
  const { integration, noun, syncType, pageQuery, name, rowTo, columns } = props;
  const { text, onText, query, placeholder } = props;
  const pages = usePages(query);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    pageQuery(orgId, integration.id, {
      query,
      cursor: pages.cursor,
      isUnderWay: isSyncing(integration),
      syncedAt: lastJob(integration, syncType)?.finishedAt ?? 0,
    }),
  );
  const plural = `${noun}s`;
  if (data === undefined && error !== null) {
    return <ErrorState title={`The ${plural} could not be loaded`} error={error} onRetry={refetch} />;
  }
  if (data !== undefined && data.total === 0 && query === '' && text === '') {
    return <NothingSynced integration={integration} plural={plural} />;
  }
  return (
    <PagedList
      label={plural}
      placeholder={placeholder}
      maxLength={MAX_SYNCED_SEARCH}
      text={text}
      onText={onText}
      pages={pages}
      page={data}
      isStale={isPlaceholderData}
    >
      <ListTable
        label={`${noun === 'customer' ? 'Customers' : 'Products'} in Stripe`}
        rows={data?.items}
        rowKey={({ id }) => id}
        {...(rowTo && { rowTo })}
        isSearchable={false}
        name={name}
        columns={[
          {
            header: 'Stripe ID',
            cell: ({ id }) => <CopyId value={id} label={`${noun} ID`} />,
            width: 174,
            isSecondary: true,
          },
          ...columns,
        ]}
      />
    </PagedList>
  );
}

interface NothingSyncedProps {
  readonly integration: StripeIntegration;
  readonly plural: string;
}

function NothingSynced({ integration, plural }: NothingSyncedProps) {
  const orgId = useOrgId();
  const isRunning = isSyncing(integration);
  return (
    <EmptyState
      title={isRunning ? `Reading ${plural} from Stripe` : `No ${plural} yet`}
      action={
        <Button
          component={Link}
          variant="default"
          to={paths.stripeIntegration(orgId, integration.id, 'manage')}
        >
          {isRunning ? 'View sync progress' : 'Go to sync'}
        </Button>
      }
    >
      {isRunning
        ? 'They appear here as they are synced.'
        : `A sync imports existing ${plural}. New ones arrive by webhook.`}
    </EmptyState>
  );
}
