/** The products that were read from Stripe, and the plans that each of them grants. */
import { useQuery } from '@tanstack/react-query';
import type { StripeProduct } from '#contracts/stripe';
import { CopyId } from '../../../ui/copy-id.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ModeBadge } from '../../../ui/mode-badge.tsx';
import { ToneWord } from '../../../ui/tone-word.tsx';
import { lastJob } from './connect-steps.ts';
import { NothingRead, type StoredPanelProps } from './customers-panel.tsx';
import { PagedList } from './paged-list.tsx';
import { PlanChips } from './plan-chips.tsx';
import { isSyncing, stripeProductsQuery } from './queries.ts';
import { usePages } from './use-pages.ts';

export function ProductsPanel({ orgId, integration, plans, text, onText, query }: StoredPanelProps) {
  const pages = usePages(query);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    stripeProductsQuery(orgId, integration.id, {
      query,
      cursor: pages.cursor,
      isUnderWay: isSyncing(integration),
      syncedAt: lastJob(integration, 'stripe-product')?.finishedAt ?? 0,
    }),
  );
  if (data === undefined && error !== null) {
    return (
      <ErrorState title="The products could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (data !== undefined && data.total === 0 && query === '' && text === '') {
    return <NothingRead orgId={orgId} integration={integration} what="products" />;
  }
  const plansOf = ({ planIds }: StripeProduct) =>
    plans?.filter(({ planId }) => planIds.includes(planId)) ?? [];
  return (
    <PagedList
      label="products"
      placeholder="Name or Stripe id"
      text={text}
      onText={onText}
      pages={pages}
      page={data}
      isStale={isPlaceholderData}
    >
      <ListTable
        label="Products at Stripe"
        rows={data?.items}
        rowKey={({ id }) => id}
        isSearchable={false}
        name={{
          header: 'Product',
          cell: ({ name }) => name,
          detail: ({ description }) => description,
        }}
        columns={[
          {
            header: 'Stripe id',
            cell: ({ id }) => <CopyId value={id} label="product id" />,
            width: 174,
            isSecondary: true,
          },
          {
            header: 'Plans',
            cell: (product) => <PlanChips orgId={orgId} plans={plansOf(product)} />,
            width: 140,
          },
          {
            header: 'State',
            cell: ({ active }) => (
              <ToneWord tone={active ? 'good' : 'quiet'}>{active ? 'Active' : 'Archived'}</ToneWord>
            ),
            width: 92,
            isSecondary: true,
          },
          {
            header: 'Mode',
            cell: ({ testMode }) => <ModeBadge isTest={testMode} />,
            width: 64,
            isSecondary: true,
          },
        ]}
      />
    </PagedList>
  );
}
