/** Notices at the top of the billing page: usage block, scheduled cancellation. The frame's banner has what is urgent. */
import { Anchor } from '@mantine/core';
import { IconBan, IconInfoCircle, IconLock } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Billing } from '#contracts/console/billing';
import { paths } from '#web/paths.ts';
import { useOrgId } from '#web/session/organisation.tsx';
import { formatDay, formatUtcDay } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';

export interface BillingNoticesProps {
  readonly billing: Billing;
  /** Whether it is known that the viewer may not change the plan. */
  readonly isReadOnly: boolean;
}

export function BillingNotices({ billing, isReadOnly }: BillingNoticesProps) {
  const orgId = useOrgId();
  const { block, notice, plan, subscription, isSetUp } = billing;
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
      {plan === 'grow' &&
        notice?.kind !== 'cancelled-ends' &&
        subscription?.cancelAtPeriodEnd &&
        subscription.currentPeriodEndAt !== null && (
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
      {isReadOnly && (
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
