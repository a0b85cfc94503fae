/** Banner above every page of an organisation whose own subscription needs attention, with the way to Plan & Billing. */
import { Anchor, Button, Group } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { BillingNotice } from '#contracts/console/organisations';
import { MONTHLY_ALLOWANCES } from '#engine/usage/usage-level';
import { paths } from '#web/paths.ts';
import { usePermission } from '#web/session/organisation.tsx';
import { formatDay, formatNumber, formatUtcDay } from '#web/ui/format.ts';
import classes from './invitation-banner.module.css';

export function BillingBanner({ orgId, notice }: { readonly orgId: string; readonly notice: BillingNotice }) {
  const canManage = usePermission('org:edit');
  const { pathname } = useLocation();
  const billing = paths.billing(orgId);
  const { title, text } = textsOf(notice);
  return (
    <section className={classes.banner} data-tone="danger" aria-label="Billing notice">
      <Group gap="10px 24px" justify="space-between" maw="var(--content-width)" my={0} mx="auto">
        <div className={`column shrink ${classes.text}`}>
          <strong>{title}</strong>
          <span>
            {text}
            {!canManage && (
              <>
                {' '}
                Owners and admins manage billing: see who they are on the{' '}
                <Anchor component={Link} to={paths.team(orgId)} inherit underline="always">
                  team page
                </Anchor>
                .
              </>
            )}
          </span>
        </div>
        {pathname !== billing && (
          <Button component={Link} to={billing} variant="default">
            View Plan & Billing
          </Button>
        )}
      </Group>
    </section>
  );
}

function textsOf({ kind, until, graceUntil }: BillingNotice): { title: string; text: string } {
  const day = formatDay(until ?? 0);
  const allowance = allowanceText(graceUntil);
  switch (kind) {
    case 'past-due':
      return {
        title: 'The last payment failed',
        text: `Grow stays active until ${day} while Stripe tries again. Check the card in the billing portal.`,
      };
    case 'past-due-ends':
      return {
        title: `Grow ends on ${day} unless the open invoice is paid`,
        text: 'The last payment failed and is still due. Pay the open invoice in the billing portal.',
      };
    case 'cancelled-ends':
      return {
        title: `Grow ends on ${day}`,
        text: 'Your organisation then moves to Build. You can keep Grow in the billing portal until then.',
      };
    case 'on-hold':
      return {
        title: 'Grow is on hold: an invoice is unpaid',
        text: `${allowance} Pay the open invoice in the billing portal to resume Grow.`,
      };
    case 'paused':
      return { title: 'The Grow subscription is paused', text: allowance };
    case 'on-build':
      return { title: 'Grow has ended', text: allowance };
  }
}

function allowanceText(graceUntil: number | null): string {
  const limit = `${formatNumber(MONTHLY_ALLOWANCES.build ?? 0)} API calls a month`;
  return graceUntil === null
    ? `Your organisation is on Build, with ${limit}.`
    : `Your organisation is on Build. Its limit of ${limit} applies from ${formatUtcDay(graceUntil)}.`;
}
