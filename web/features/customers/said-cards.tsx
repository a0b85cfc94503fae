/** What is granted to a customer by hand, and overridden: two cards, with who said so, why, where and until when. */
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import type { Customer, CustomerGrant, CustomerOverride } from '#contracts/customers';
import type { Environment } from '#contracts/environments';
import type { Feature } from '#contracts/features';
import type { Plan } from '#contracts/plans';
import { Age } from '../../ui/age.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatAge, formatInstant } from '../../ui/format.ts';
import { Hint } from '../../ui/hint.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Section } from '../../ui/section.tsx';
import { useKept } from '../../ui/use-kept.ts';
import { PropertyValueView } from '../../values/property-value.tsx';
import classes from './customers.module.css';
import { GrantPlanDialog } from './grant-plan-dialog.tsx';
import { useRemoveOverride, useWithdrawPlan } from './mutations.ts';
import { OverrideDialog } from './override-dialog.tsx';

export interface SaidCardsProps {
  readonly orgId: string;
  readonly customer: Customer;
  readonly plans: readonly Plan[];
  readonly features: readonly Feature[];
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
}

export function SaidCards(props: SaidCardsProps) {
  return (
    <div className={classes.columns}>
      <GrantsCard {...props} />
      <OverridesCard {...props} />
    </div>
  );
}

const plus = <IconPlus size={15} aria-hidden />;
const bin = <IconTrash size={15} aria-hidden />;

function GrantsCard({ orgId, customer, plans, environments, renderMember }: SaidCardsProps) {
  const [isGranting, granting] = useDisclosure();
  const [doomed, setDoomed] = useState<CustomerGrant | null>(null);
  const withdraw = useWithdrawPlan(orgId, customer.identifier);
  const shown = useKept(doomed);
  const nameOf = (planId: string) => plans.find((plan) => plan.planId === planId)?.name ?? planId;
  const name = shown === null ? '' : nameOf(shown.planId);
  return (
    <Section
      title="Granted by hand"
      description="Plans beside those that the customer has otherwise."
      isFlush
      actions={
        <Button variant="default" leftSection={plus} onClick={granting.open}>
          Grant a plan
        </Button>
      }
    >
      <SaidList
        label="Granted plans"
        none="No plan is granted by hand."
        items={customer.grants}
        environments={environments}
        renderMember={renderMember}
        title={({ planId }) => nameOf(planId)}
        menu={(grant) => (
          <Menu.Item color="red" leftSection={bin} onClick={() => setDoomed(grant)}>
            Withdraw
          </Menu.Item>
        )}
        nameOf={({ planId }) => nameOf(planId)}
      />
      <GrantPlanDialog
        orgId={orgId}
        identifier={customer.identifier}
        plans={plans}
        environments={environments}
        isOpen={isGranting}
        onClose={granting.close}
      />
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={`Withdraw ${name}?`}
        confirmLabel={`Withdraw ${name}`}
        isBusy={withdraw.isPending}
        onConfirm={() => {
          if (doomed === null) return;
          withdraw.mutate(doomed.id, {
            onSuccess: () =>
              toast.success('Plan withdrawn', { description: `${name} · ${customer.identifier}` }),
            onSettled: () => setDoomed(null),
          });
        }}
      >
        {customer.identifier} loses at once what only this plan allows. Usage stays counted.
      </ConfirmDialog>
    </Section>
  );
}

function OverridesCard({ orgId, customer, features, environments, renderMember }: SaidCardsProps) {
  const [isOverriding, overriding] = useDisclosure();
  const [doomed, setDoomed] = useState<CustomerOverride | null>(null);
  const remove = useRemoveOverride(orgId, customer.identifier);
  const shown = useKept(doomed);
  const known = new Map(
    features.flatMap((feature) =>
      [...feature.systemFeatureProperties, ...feature.properties].map((property) => [
        property.id,
        { property, name: `${feature.slug}.${property.propertyKey}` },
      ]),
    ),
  );
  const nameOf = (propertyId: string) => known.get(propertyId)?.name ?? propertyId;
  const name = shown === null ? '' : nameOf(shown.propertyId);
  return (
    <Section
      title="Overrides"
      description="Values that hold whatever the plans say."
      isFlush
      actions={
        <Button variant="default" leftSection={plus} onClick={overriding.open}>
          Override a property
        </Button>
      }
    >
      <SaidList
        label="Overrides"
        none="No property is overridden."
        items={customer.overrides}
        environments={environments}
        renderMember={renderMember}
        title={({ propertyId, value }) => (
          <>
            <code className={classes.mono}>{nameOf(propertyId)}</code>{' '}
            <PropertyValueView type={known.get(propertyId)?.property.type ?? typeOf(value)} value={value} />
          </>
        )}
        menu={(override) => (
          <Menu.Item color="red" leftSection={bin} onClick={() => setDoomed(override)}>
            Remove
          </Menu.Item>
        )}
        nameOf={({ propertyId }) => nameOf(propertyId)}
      />
      <OverrideDialog
        orgId={orgId}
        identifier={customer.identifier}
        features={features}
        environments={environments}
        isOpen={isOverriding}
        onClose={overriding.close}
      />
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={`Remove the override of ${name}?`}
        confirmLabel="Remove override"
        isBusy={remove.isPending}
        onConfirm={() => {
          if (doomed === null) return;
          remove.mutate(doomed.id, {
            onSuccess: () =>
              toast.success('Override removed', { description: `${name} · ${customer.identifier}` }),
            onSettled: () => setDoomed(null),
          });
        }}
      >
        What the plans of {customer.identifier} say of it holds again at once.
      </ConfirmDialog>
    </Section>
  );
}

interface SaidListProps<Item extends CustomerGrant | CustomerOverride> {
  readonly label: string;
  readonly none: string;
  readonly items: readonly Item[];
  readonly environments: readonly Environment[];
  readonly title: (item: Item) => ReactNode;
  readonly menu: (item: Item) => ReactNode;
  readonly nameOf: (item: Item) => string;
  readonly renderMember: (userId: string) => ReactNode;
}

function SaidList<Item extends CustomerGrant | CustomerOverride>(props: SaidListProps<Item>) {
  const { label, none, items, environments, title, menu, nameOf, renderMember } = props;
  if (items.length === 0) return <p className={classes.none}>{none}</p>;
  const now = Date.now();
  return (
    <ul className={classes.said} aria-label={label}>
      {items.map((item) => {
        const { id, environmentId, until, reason, createdAt, createdByUserId } = item;
        const where = environments.find((each) => each.id === environmentId)?.name;
        const hasEnded = until !== null && until <= now;
        return (
          <li key={id} data-ended={hasEnded || undefined}>
            <div className={classes.saidWords}>
              <div className={classes.saidTitle}>{title(item)}</div>
              <div className={classes.saidWhy}>{reason}</div>
              <div className={classes.saidFacts}>
                <span>
                  {environmentId === null ? 'All environments' : (where ?? 'a deleted environment')}
                </span>
                {until !== null && (
                  <Hint label={formatInstant(until)}>
                    <span data-ended={hasEnded || undefined}>
                      {hasEnded ? 'ended' : 'ends'} {formatAge(until, now)}
                    </span>
                  </Hint>
                )}
                <span>
                  {createdByUserId !== null && <>{renderMember(createdByUserId)}, </>}
                  <Age at={createdAt} />
                </span>
              </div>
            </div>
            <RowMenu name={nameOf(item)}>{menu(item)}</RowMenu>
          </li>
        );
      })}
    </ul>
  );
}

function typeOf(value: CustomerOverride['value']): 'number' | 'boolean' | 'string' | 'meterable' {
  const type = typeof value;
  return type === 'number' || type === 'boolean' || type === 'string' ? type : 'meterable';
}
