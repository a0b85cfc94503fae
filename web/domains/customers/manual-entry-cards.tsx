/** A customer's manual grants and overrides, as two cards side by side. */
import type { ReactNode } from 'react';
import type { Customer, CustomerOverride } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Feature } from '#contracts/console/features';
import type { Plan } from '#contracts/console/plans';
import { PropertyValueView } from '#web/values/property-value.tsx';
import classes from './customers.module.css';
import { GrantPlanDialog } from './grant-plan-dialog.tsx';
import { ManualEntryCard } from './manual-entry-card.tsx';
import { useRemoveOverride, useWithdrawPlan } from './mutations.ts';
import { OverrideDialog } from './override-dialog.tsx';

export interface ManualEntryCardsProps {
  readonly orgId: string;
  readonly customer: Customer;
  readonly plans: readonly Plan[];
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
}

export function ManualEntryCards(props: ManualEntryCardsProps) {
  return (
    <div className={classes.columns}>
      <GrantsCard {...props} />
      <OverridesCard {...props} />
    </div>
  );
}

function GrantsCard({ orgId, customer, plans, environments, renderMember }: ManualEntryCardsProps) {
  const { identifier } = customer;
  return (
    <ManualEntryCard
      title="Granted manually"
      description="Extra plans, on top of subscriptions and defaults."
      addLabel="Grant a plan"
      listLabel="Granted plans"
      none="No plans granted manually."
      identifier={identifier}
      items={customer.grants}
      environments={environments}
      renderMember={renderMember}
      labelOf={({ planId }) => plans.find((plan) => plan.planId === planId)?.name ?? planId}
      removal={{
        label: 'Withdraw',
        title: (name) => `Withdraw ${name}?`,
        confirmLabel: (name) => `Withdraw ${name}`,
        consequence: `${identifier} immediately loses what only this plan allows. Counted usage stays.`,
        toastTitle: 'Plan withdrawn',
        mutation: useWithdrawPlan(orgId, identifier),
      }}
      renderDialog={(isOpen, onClose) => (
        <GrantPlanDialog {...{ orgId, identifier, plans, environments, isOpen, onClose }} />
      )}
    />
  );
}

function OverridesCard({ orgId, customer, features, environments, renderMember }: ManualEntryCardsProps) {
  const { identifier } = customer;
  const known = new Map(
    features.flatMap((feature) =>
      [...feature.systemFeatureProperties, ...feature.properties].map((property) => [
        property.id,
        { type: property.type, name: `${feature.slug}.${property.propertyKey}` },
      ]),
    ),
  );
  const labelOf = ({ propertyId }: CustomerOverride) => known.get(propertyId)?.name ?? propertyId;
  return (
    <ManualEntryCard
      title="Overrides"
      description="Values that take precedence over every plan."
      addLabel="Override a property"
      listLabel="Overrides"
      none="No property is overridden."
      identifier={identifier}
      items={customer.overrides}
      environments={environments}
      renderMember={renderMember}
      labelOf={labelOf}
      show={(override) => (
        <>
          <code className={classes.mono}>{labelOf(override)}</code>{' '}
          <PropertyValueView
            type={known.get(override.propertyId)?.type ?? typeOf(override.value)}
            value={override.value}
          />
        </>
      )}
      removal={{
        label: 'Remove',
        title: (name) => `Remove the override of ${name}?`,
        confirmLabel: () => 'Remove override',
        consequence: `The value from the plans of ${identifier} applies again immediately.`,
        toastTitle: 'Override removed',
        mutation: useRemoveOverride(orgId, identifier),
      }}
      renderDialog={(isOpen, onClose) => (
        <OverrideDialog {...{ orgId, identifier, features, environments, isOpen, onClose }} />
      )}
    />
  );
}

function typeOf(value: CustomerOverride['value']): 'number' | 'boolean' | 'string' | 'meterable' {
  const type = typeof value;
  return type === 'number' || type === 'boolean' || type === 'string' ? type : 'meterable';
}
