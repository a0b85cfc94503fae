/** Dashboard notice that access checks are blocked, or that the month's allowance is used up. */
import { IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Notice } from '#web/ui/notice.tsx';

export interface LimitNoticeProps {
  /** Set while access checks are blocked. */
  readonly blockReason: string | null;
  readonly used: number;
  /** Requests per month. Null means unlimited. */
  readonly limit: number | null;
  readonly now: number;
  /** The action that resolves it. */
  readonly action: ReactNode;
}

export function LimitNotice({ blockReason, used, limit, now, action }: LimitNoticeProps) {
  if (blockReason !== null) {
    return (
      <Notice isWide tone="danger" icon={IconBan} role="alert" title="Access checks are refused">
        <p>
          {blockReason}. Every environment responds with 429 <code>usage-blocked</code> until this is settled.
          Features, plans and versions are untouched and can still be edited.
        </p>
        {action}
      </Notice>
    );
  }
  if (limit === null || used < limit) return null;
  return (
    <Notice isWide role="alert" title={`This month’s limit of ${formatNumber(limit)} requests is reached`}>
      <p>
        Access checks may now be refused with 429 <code>usage-blocked</code>. A new allowance begins on{' '}
        {formatUtcDay(nextMonthOf(now))}, at midnight UTC.
      </p>
      {action}
    </Notice>
  );
}
