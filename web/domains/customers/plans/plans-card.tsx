/** A customer's plans in one environment, with why and until, and the dialog that grants another one. */
import { Anchor, Button, Flex, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Customer, CustomerEntitlements, CustomerGrant } from '#contracts/console/customers';
import type { Environment } from '#contracts/console/environments';
import type { Plan } from '#contracts/console/plans';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { toast } from '#web/toast.ts';
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx';
import { useLastValue } from '#web/ui/dialogs/use-last-value.ts';
import { sentence } from '#web/ui/format.ts';
import { Age, End, useHasEnded } from '#web/ui/labels/age.tsx';
import { RemoveItem, RowMenu } from '#web/ui/lists/row-menu.tsx';
import { codeApart } from '#web/ui/loading/loaded-apart.tsx';
import { OptionalPart } from '#web/ui/loading/optional-part.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { useCustomerName } from '#web/values/use-customer-name.ts';
import { type EntryFor, manualEntries } from '../manual/manual-entries.ts';
import { useRevokePlan } from '../mutations.ts';
import { whyOf } from '../why-of.ts';
import classes from './plans-card.module.css';

const grantPlanDialog = codeApart(async () => (await import('./grant-plan-dialog.tsx')).GrantPlanDialog);

export interface PlansCardProps {
  readonly customer: Customer;
  /** Undefined while loading, and if it could not be loaded. */
  readonly entitled: CustomerEntitlements | undefined;
  readonly plans: readonly Plan[];
  /** The one that is looked at. */
  readonly environmentId: string;
  readonly environments: readonly Environment[];
  readonly renderMember: (userId: string) => ReactNode;
}

export function PlansCard(props: PlansCardProps) {
  const orgId = useOrgId();
  const { customer, entitled, plans, environmentId, environments } = props;
  const { identifier } = customer;
  const { grants } = manualEntries(customer, entitled);
  const customerName = useCustomerName(orgId, identifier);
  const [isGranting, granting] = useDisclosure();
  const [revoked, setRevoked] = useState<EntryFor<CustomerGrant> | null>(null);
  const shown = useLastValue(revoked);
  const revoke = useRevokePlan(orgId);
  const nameOf = ({ planId }: CustomerGrant) =>
    [...plans, ...(entitled?.plans ?? [])].find((plan) => plan.planId === planId)?.name ?? planId;
  const isDeleted = ({ planId }: CustomerGrant) => !plans.some((plan) => plan.planId === planId);
  const name = shown === null ? '' : nameOf(shown);
  return (
    <PlansSection
      footer={
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={granting.open}>
          Grant a plan
        </Button>
      }
    >
      <EffectivePlans entitled={entitled} />
      {grants.length > 0 && (
        <>
          <h3 className={classes.title}>Granted manually</h3>
          <ul className={`list divided ${classes.list}`} aria-label="Granted plans">
            {grants.map((grant) => (
              <Grant
                key={grant.id}
                {...props}
                grant={grant}
                name={nameOf(grant)}
                isDeleted={isDeleted(grant)}
                onRevoke={setRevoked}
              />
            ))}
          </ul>
        </>
      )}
      <OptionalPart
        key={environmentId}
        code={grantPlanDialog}
        isNeeded={isGranting}
        props={{
          identifier,
          environmentId,
          plans,
          environments,
          isOpen: isGranting,
          onClose: granting.close,
        }}
        onFailure={granting.close}
      />
      <ConfirmDialog
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        title={sentence`Revoke ${name}?`}
        confirmLabel={sentence`Revoke ${name}`}
        isBusy={revoke.isPending}
        onConfirm={() => {
          if (revoked === null) return;
          revoke.mutate(revoked, {
            onSuccess: () =>
              toast.success('Plan revoked', { description: sentence`${name} · ${revoked.of}` }),
            onSettled: () => setRevoked(null),
          });
        }}
      >
        {sentence`${customerName} immediately loses what only this plan allows. Counted usage stays.`}
      </ConfirmDialog>
    </PlansSection>
  );
}

/** The card. Without plans they load. */
export function PlansSection(props: { readonly footer?: ReactNode; readonly children?: ReactNode }) {
  const { footer, children = <Skeleton height={16} width="40%" m={20} /> } = props;
  return (
    <Section title="Plans" isFlush footer={footer}>
      {children}
    </Section>
  );
}

function EffectivePlans({ entitled }: Pick<PlansCardProps, 'entitled'>) {
  if (entitled === undefined) return <Skeleton height={44} m={16} w="auto" />;
  if (entitled.version === null)
    return (
      <Text c="dimmed" fz="sm" py={14} px={20}>
        Nothing is deployed to this environment.
      </Text>
    );
  const { plans, idleAddOns } = entitled;
  if (plans.length === 0 && idleAddOns.length === 0)
    return (
      <Text c="dimmed" fz="sm" py={14} px={20}>
        No plan. Properties have their default values unless overridden.
      </Text>
    );
  return (
    <ul className={`list divided ${classes.list}`} aria-label="Plans of the customer">
      {plans.map((plan) => (
        <li key={plan.planId}>
          <Flex component="span" direction="column" miw={0}>
            <span className="medium breaks">{plan.name}</span>
            <span className={classes.detail}>{whyOf(plan)}</span>
          </Flex>
        </li>
      ))}
      {idleAddOns.map(({ planId, name }) => (
        <li key={planId}>
          <Flex component="span" direction="column" miw={0}>
            <span className="medium muted breaks">{name}</span>
            <span className={classes.detail}>An add-on, which has no effect without another plan</span>
          </Flex>
        </li>
      ))}
    </ul>
  );
}

interface GrantProps extends Pick<PlansCardProps, 'customer' | 'environments' | 'renderMember'> {
  readonly grant: EntryFor<CustomerGrant>;
  readonly name: string;
  /** The plan is no longer in the workspace; versions may still contain it. */
  readonly isDeleted: boolean;
  readonly onRevoke: (grant: EntryFor<CustomerGrant>) => void;
}

function Grant(props: GrantProps) {
  const orgId = useOrgId();
  const { customer, grant, name, isDeleted, environments, renderMember, onRevoke } = props;
  const { environmentId, until, reason, createdAt, createdByUserId, createdByKey } = grant;
  const hasEnded = useHasEnded(until);
  const where = environments.find(({ id }) => id === environmentId)?.name;
  return (
    <li data-ended={hasEnded || undefined}>
      <Flex component="span" direction="column" miw={0}>
        <span className="medium breaks">{name}</span>
        {isDeleted && (
          <span className="small muted">
            Deleted from the workspace. Still applies wherever a deployed version includes it, and ends when
            no version does.
          </span>
        )}
        <span className="small breaks">{reason}</span>
        <span className={classes.detail}>
          {environmentId === null ? 'All environments' : (where ?? 'a deleted environment')}
          {until !== null && (
            <>
              {' · '}
              <span data-ended={hasEnded || undefined}>
                <End at={until} />
              </span>
            </>
          )}
          {' · '}
          {createdByKey !== null && <span className="breaks">{sentence`key ${createdByKey.name}, `}</span>}
          {createdByUserId !== null && <>{renderMember(createdByUserId)}, </>}
          <Age at={createdAt} />
          {grant.of !== customer.identifier && (
            <>
              {' · via '}
              <Anchor
                component={Link}
                to={paths.customer(orgId, grant.of, environmentId ?? undefined)}
                inherit
                underline="always"
              >
                {grant.of}
              </Anchor>
            </>
          )}
        </span>
      </Flex>
      <RowMenu name={name}>
        <RemoveItem onClick={() => onRevoke(grant)}>Revoke</RemoveItem>
      </RowMenu>
    </li>
  );
}
