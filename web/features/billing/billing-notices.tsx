/** What needs somebody's eye before anything else on the page: a block, a payment that failed, an end to come. */
import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconInfoCircle, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Billing } from '#contracts/billing';
import { paths } from '../../paths.ts';
import { formatDay, formatUtcDay } from '../../ui/format.ts';
import classes from './billing.module.css';

const ICONS = { blocked: IconBan, warning: IconAlertTriangle, quiet: IconInfoCircle, locked: IconLock };

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
        <Notice kind="blocked" title="Access checks are refused">
          {block.reason}. Every environment answers with 429 <code>usage-blocked</code>
          {block.until === null
            ? ' until this is settled.'
            : `. Upgrade to Grow and they are answered again at once, or wait for the new allowance on ${formatUtcDay(block.until)}.`}
        </Notice>
      )}
      {subscription?.status === 'past_due' && (
        <Notice kind="warning" title="The last payment failed">
          Grow stays in force while Stripe tries again. Check the card in the billing portal.
        </Notice>
      )}
      {(subscription?.status === 'unpaid' || subscription?.status === 'paused') && (
        <Notice kind="warning" title="The Grow subscription is on hold">
          The organisation is on Build until the open invoice is paid in the billing portal. Then Grow is back
          by itself.
        </Notice>
      )}
      {plan === 'grow' && subscription?.cancelAtPeriodEnd && subscription.currentPeriodEndAt !== null && (
        <Notice kind="quiet" title={`Grow ends on ${formatDay(subscription.currentPeriodEndAt)}`}>
          From then on the organisation is on Build, with its monthly allowance. Until then it can be kept in
          the billing portal.
        </Notice>
      )}
      {!isSetUp && (
        <Notice kind="quiet" title="Subscriptions are not set up">
          This Tessera has no Stripe account of its own, so the plan cannot be changed here. Whoever runs it
          sets <code>STRIPE_SECRET_KEY</code> and <code>STRIPE_WEBHOOK_SECRET</code>.
        </Notice>
      )}
      {!canEdit && (
        <Notice kind="locked" title="Only owners and admins change the plan">
          You can see how it stands. The{' '}
          <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
            team
          </Anchor>{' '}
          shows who they are.
        </Notice>
      )}
    </>
  );
}

interface NoticeProps {
  readonly kind: keyof typeof ICONS;
  readonly title: string;
  readonly children: ReactNode;
}

function Notice({ kind, title, children }: NoticeProps) {
  const Icon = ICONS[kind];
  return (
    <div className={classes.notice} data-kind={kind} role={kind === 'blocked' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden />
      <div>
        <p className={classes.noticeTitle}>{title}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}
