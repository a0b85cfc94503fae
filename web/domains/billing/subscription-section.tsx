/** The subscription's status, and a link to Stripe's billing portal for invoices and cards. */
import { Skeleton, Text } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Billing, NextInvoice, SubscriptionStatus } from '#contracts/console/billing';
import { ActionButton } from '#web/ui/dialogs/action-button.tsx';
import { formatDay } from '#web/ui/format.ts';
import { StatusLabel, type Tone } from '#web/ui/labels/status-label.tsx';
import { Section } from '#web/ui/page/section.tsx';
import { statusLabel, statusTone } from '#web/values/subscription-status.ts';
import classes from './billing.module.css';
import { formatMoney } from './format-price.ts';

export interface SubscriptionSectionProps {
  /** Undefined while it loads. */
  readonly billing: Billing | undefined;
  /** Null: none, or Stripe has not said yet. */
  readonly nextInvoice: NextInvoice['invoice'];
  readonly canEdit: boolean;
  readonly onOpenPortal: () => void;
  /** Whether the portal is being opened. */
  readonly isBusy: boolean;
}

export function SubscriptionSection({
  billing,
  nextInvoice,
  canEdit,
  onOpenPortal,
  isBusy,
}: SubscriptionSectionProps) {
  return (
    <Section
      title="Billing"
      description="Manage invoices, cards and addresses in Stripe’s billing portal."
      footer={
        <>
          {billing?.hasCustomerId === false && (
            <Text span mr="auto" fz="sm" c="dimmed">
              The billing portal is available after your first upgrade.
            </Text>
          )}
          <ActionButton
            variant="default"
            disabled={!canEdit || !billing?.hasCustomerId || !billing.isSetUp}
            loading={isBusy}
            onClick={onOpenPortal}
            rightSection={<IconArrowUpRight size={15} aria-hidden />}
          >
            Open billing portal
          </ActionButton>
        </>
      }
    >
      <dl className={classes.facts}>
        <Facts billing={billing} nextInvoice={nextInvoice} />
      </dl>
    </Section>
  );
}

function Facts({ billing, nextInvoice }: Pick<SubscriptionSectionProps, 'billing' | 'nextInvoice'>) {
  const subscription = billing?.subscription;
  return (
    <>
      <Fact label="Plan">{billing && (billing.plan === 'grow' ? 'Grow' : 'Build')}</Fact>
      <Fact label="Subscription">{billing && <Subscription billing={billing} />}</Fact>
      {subscription?.currentPeriodEndAt != null && (
        <Fact label={subscription.cancelAtPeriodEnd ? 'Ends on' : 'Next invoice'}>
          {formatDay(subscription.currentPeriodEndAt)}
          {nextInvoice !== null && (
            <span className="muted regular">
              {' '}
              {formatMoney(nextInvoice.totalMinor, nextInvoice.currency)} so far, with discounts and tax
            </span>
          )}
        </Fact>
      )}
    </>
  );
}

function Subscription({ billing: { plan, subscription } }: { billing: Billing }) {
  return subscription === null ? (
    <span className="muted regular">{plan === 'grow' ? 'None in Stripe' : 'None. Build is free.'}</span>
  ) : (
    <StatusLabel tone={toneOf(subscription.status)}>{statusLabel(subscription.status)}</StatusLabel>
  );
}

/** A paused plan is a problem for the paying organisation, so its tone differs from the default. */
function toneOf(status: SubscriptionStatus): Tone {
  return status === 'unpaid' || status === 'paused' ? 'bad' : statusTone(status);
}

interface FactProps {
  readonly label: string;
  /** Undefined while it loads. */
  readonly children: ReactNode;
}

function Fact({ label, children = <Skeleton height={20} width={80} /> }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
