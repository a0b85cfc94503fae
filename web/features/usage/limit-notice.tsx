/** Says at the top of the dashboard when access checks are refused, or when the month's allowance is used up. */
import { IconAlertTriangle, IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '../../ui/format.ts';
import classes from './limit-notice.module.css';

export interface LimitNoticeProps {
  /** Set: access checks are refused. */
  readonly blockReason: string | null;
  readonly used: number;
  /** Requests a month; null is without limit. */
  readonly limit: number | null;
  readonly now: number;
  /** What can be done about it. */
  readonly action: ReactNode;
}

export function LimitNotice({ blockReason, used, limit, now, action }: LimitNoticeProps) {
  if (blockReason !== null) {
    return (
      <div role="alert" className={classes.notice} data-kind="blocked">
        <IconBan size={18} aria-hidden />
        <div>
          <p className={classes.title}>Access checks are refused</p>
          <p>
            {blockReason}. Every environment answers with 429 <code>usage-blocked</code> until this is
            settled. Features, plans and versions are untouched and can still be edited.
          </p>
          {action}
        </div>
      </div>
    );
  }
  if (limit === null || used < limit) return null;
  return (
    <div role="alert" className={classes.notice} data-kind="reached">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.title}>This month’s {formatNumber(limit)} requests are used up</p>
        <p>
          Access checks may be refused from now on, with 429 <code>usage-blocked</code>. A new allowance
          begins on {formatUtcDay(nextMonthOf(now))}, at midnight UTC.
        </p>
        {action}
      </div>
    </div>
  );
}
