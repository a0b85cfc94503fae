/** The customers that were read from Stripe: who they are, what they subscribe to, and which plans that grants them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Plan } from '#contracts/plans';
import type { StripeCustomer, StripeIntegration } from '#contracts/stripe';
import { paths } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ModeBadge } from '../../../ui/mode-badge.tsx';
import { ToneWord } from '../../../ui/tone-word.tsx';
import { statusTone, statusWords } from '../../../values/subscription-status.ts';
import { lastJob } from './connect-steps.ts';
import { plansByProduct, plansOfCustomer } from './linked-plans.ts';
import { PagedList } from './paged-list.tsx';
import { PlanChips } from './plan-chips.tsx';
import { isSyncing, stripeCustomersQuery } from './queries.ts';
import classes from './stripe.module.css';
import { usePages } from './use-pages.ts';

export interface StoredPanelProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  readonly plans: readonly Plan[] | undefined;
  /** What was typed. */
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What is searched for: the text, a moment later. */
  readonly query: string;
}

export function CustomersPanel({ orgId, integration, plans, text, onText, query }: StoredPanelProps) {
  const pages = usePages(query);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    stripeCustomersQuery(orgId, integration.id, {
      query,
      cursor: pages.cursor,
      isUnderWay: isSyncing(integration),
      syncedAt: lastJob(integration, 'stripe-customer')?.finishedAt ?? 0,
    }),
  );
  if (data === undefined && error !== null) {
    return (
      <ErrorState title="The customers could not be loaded" error={error} onRetry={() => void refetch()} />
    );
  }
  if (data !== undefined && data.total === 0 && query === '' && text === '') {
    return <NothingRead orgId={orgId} integration={integration} what="customers" />;
  }
  const linked = plansByProduct(plans ?? [], integration.id);
  return (
    <PagedList
      label="customers"
      placeholder="Name, e-mail address or Stripe id"
      text={text}
      onText={onText}
      pages={pages}
      page={data}
      isStale={isPlaceholderData}
    >
      <ListTable
        label="Customers at Stripe"
        rows={data?.items}
        rowKey={({ id }) => id}
        rowTo={({ id }) => paths.customer(orgId, id)}
        isSearchable={false}
        name={{
          header: 'Customer',
          cell: ({ name, email, id }) => name ?? email ?? id,
          detail: ({ name, email }) => (name === null ? null : email),
        }}
        columns={[
          {
            header: 'Stripe id',
            cell: ({ id }) => <CopyId value={id} label="customer id" />,
            width: 174,
            isSecondary: true,
          },
          { header: 'Subscriptions', cell: (customer) => <Subscriptions {...customer} />, width: 112 },
          {
            header: 'Plans',
            cell: (customer) => <PlanChips orgId={orgId} plans={plansOfCustomer(customer, linked)} />,
            width: 140,
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

function Subscriptions({ subscriptions }: Pick<StripeCustomer, 'subscriptions'>) {
  if (subscriptions.length === 0) return <span className={classes.faint}>None</span>;
  return (
    <span className={classes.statuses}>
      {subscriptions.map(({ id, status }) => (
        <ToneWord key={id} tone={statusTone(status)}>
          {statusWords(status)}
        </ToneWord>
      ))}
    </span>
  );
}

export interface NothingReadProps {
  readonly orgId: string;
  readonly integration: StripeIntegration;
  readonly what: 'customers' | 'products';
}

export function NothingRead({ orgId, integration, what }: NothingReadProps) {
  return (
    <EmptyState
      title={isSyncing(integration) ? `Reading ${what} from Stripe` : `No ${what} yet`}
      action={
        <Button
          component={Link}
          variant="default"
          to={paths.stripeIntegration(orgId, integration.id, 'manage')}
        >
          {isSyncing(integration) ? 'See how far it is' : 'Go to sync'}
        </Button>
      }
    >
      {isSyncing(integration)
        ? 'They appear here as they are read.'
        : `A sync reads the ${what} that there are at Stripe; what is made there from now on arrives by webhook.`}
    </EmptyState>
  );
}
