/** Notices at the top of the billing page: usage block, failed payment, scheduled cancellation. */
import { Anchor } from '@mantine/core';
import { IconBan, IconInfoCircle, IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Billing } from '#contracts/console/billing';
import { paths } from '#web/paths.ts';
import { formatDay, formatUtcDay } from '#web/ui/format.ts';
import { Notice } from '#web/ui/notice.tsx';

/** The plan is back once the open invoice is paid. */
const ON_HOLD: ReadonlySet<string> = new Set(['past_due', 'unpaid', 'paused']);

export interface BillingNoticesProps {
  readonly orgId: string;
  readonly billing: Billing;
  readonly canEdit: boolean;
}

export function BillingNotices({ orgId, billing, canEdit }: BillingNoticesProps) {
  const { block, plan, subscription, isSetUp } = billing;
  return (
    <>
      {block !== null && (
        <Notice isWide tone="danger" icon={IconBan} role="alert" title="API calls are blocked">
          {block.reason}. API calls in every environment return 429 <code>usage-blocked</code>
          {block.until === null
            ? '. Contact support to lift the block.'
            : `. Upgrade to Grow to resume immediately, or wait until your allowance renews on ${formatUtcDay(block.until)}.`}
        </Notice>
      )}
      {subscription?.status === 'past_due' && plan === 'grow' && (
        <Notice isWide title="The last payment failed">
          Grow stays active{' '}
          {subscription.pastDueUntil !== null && `until ${formatDay(subscription.pastDueUntil)} `}
          while Stripe tries again. Check the card in the billing portal.
        </Notice>
      )}
      {subscription !== null && plan === 'build' && ON_HOLD.has(subscription.status) && (
        <Notice
          isWide
          title={
            subscription.status === 'paused'
              ? 'The Grow subscription is paused'
              : 'Grow is on hold: an invoice is unpaid'
          }
        >
          Your organisation is on Build. Pay the open invoice in the billing portal to resume Grow.
        </Notice>
      )}
      {plan === 'grow' && subscription?.cancelAtPeriodEnd && subscription.currentPeriodEndAt !== null && (
        <Notice
          isWide
          tone="neutral"
          icon={IconInfoCircle}
          title={`Grow ends on ${formatDay(subscription.currentPeriodEndAt)}`}
        >
          The organisation then moves to Build, with its monthly allowance. You can keep Grow in the billing
          portal until then.
        </Notice>
      )}
      {!isSetUp && (
        <Notice isWide tone="neutral" icon={IconInfoCircle} title="Subscriptions are not set up">
          This server has no Stripe account for billing, so you can’t change the plan here. To enable
          subscriptions, set <code>STRIPE_SECRET_KEY</code> and <code>STRIPE_WEBHOOK_SECRET</code>.
        </Notice>
      )}
      {!canEdit && (
        <Notice isWide tone="neutral" icon={IconLock} title="Only owners and admins can change the plan">
          See who they are on the{' '}
          <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
            team page
          </Anchor>
          .
        </Notice>
      )}
    </>
  );
}
