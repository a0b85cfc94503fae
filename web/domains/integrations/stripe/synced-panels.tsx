/** The tabs 'Synced customers' and 'Synced products' of a Stripe integration. */
import { Stack } from '@mantine/core';
import type { Plan } from '#contracts/console/plans';
import type { StripeCustomer, StripeIntegration, StripeProduct } from '#contracts/console/stripe';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { StatusLabel } from '#web/ui/labels/status-label.tsx';
import { customerTitle, shownText } from '#web/values/customer-title.ts';
import { statusLabel, statusTone } from '#web/values/subscription-status.ts';
import { plansByProduct, plansOfCustomer } from './linked-plans.ts';
import { PlanChips } from './plan-chips.tsx';
import { stripeCustomersQuery, stripeProductsQuery } from './queries.ts';
import { type SearchState, SyncedList } from './synced-list.tsx';

export interface SyncedPanelProps extends SearchState {
  readonly integration: StripeIntegration;
  /** Undefined while they load, or if they could not be loaded. */
  readonly plans: readonly Plan[] | undefined;
}

/** The stored customers, with their subscriptions and the plans that these grant. */
export function CustomersPanel({ plans, ...props }: SyncedPanelProps) {
  const orgId = useOrgId();
  const linked = plans && plansByProduct(plans, props.integration.id);
  return (
    <SyncedList<StripeCustomer>
      {...props}
      noun="customer"
      syncType="stripe-customer"
      placeholder="Name, email or Stripe ID"
      pageQuery={stripeCustomersQuery}
      rowTo={({ id }) => paths.customer(orgId, id)}
      name={{
        header: 'Customer',
        cell: ({ name, email, id }) => customerTitle({ identifier: id, name, email }),
        detail: ({ name, email }) => shownText(name) && shownText(email),
      }}
      columns={[
        { header: 'Subscriptions', cell: (customer) => <Subscriptions {...customer} />, width: 112 },
        {
          header: 'Plans',
          cell: (customer) => <PlanChips plans={linked && plansOfCustomer(customer, linked)} />,
          width: 140,
          isSecondary: true,
        },
      ]}
    />
  );
}

/** The stored products, with the plans that each grants. */
export function ProductsPanel({ plans, ...props }: SyncedPanelProps) {
  const plansOf = ({ planIds }: StripeProduct) => plans?.filter(({ planId }) => planIds.includes(planId));
  return (
    <SyncedList<StripeProduct>
      {...props}
      noun="product"
      syncType="stripe-product"
      placeholder="Name or Stripe ID"
      pageQuery={stripeProductsQuery}
      name={{
        header: 'Product',
        cell: ({ name }) => name,
        detail: ({ description }) => description,
      }}
      columns={[
        {
          header: 'Plans',
          cell: (product) => <PlanChips plans={plansOf(product)} />,
          width: 140,
        },
        {
          header: 'State',
          cell: ({ active }) => (
            <StatusLabel tone={active ? 'good' : 'quiet'}>{active ? 'Active' : 'Archived'}</StatusLabel>
          ),
          width: 92,
          isSecondary: true,
        },
      ]}
    />
  );
}

function Subscriptions({ subscriptions }: Pick<StripeCustomer, 'subscriptions'>) {
  if (subscriptions.length === 0) return <span className="muted small figures">None</span>;
  return (
    <Stack component="span" gap={2}>
      {subscriptions.map(({ id, status }) => (
        <StatusLabel key={id} tone={statusTone(status)}>
          {statusLabel(status)}
        </StatusLabel>
      ))}
    </Stack>
  );
}
