/** Dashboard notice that API calls are blocked, or that the month's allowance is reached. */
import { IconBan } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { nextMonthOf } from '#engine/usage/calendar';
import { formatNumber, formatUtcDay } from '#web/ui/format.ts';
import { Notice } from '#web/ui/states/notice.tsx';

export interface LimitNoticeProps {
  /** Set while API calls are blocked. */
  readonly blockReason: string | null;
  readonly used: number;
  /** API calls per month. Null means unlimited. */
  readonly limit: number | null;
  readonly now: number;
  /** The action that resolves it. */
  readonly action: ReactNode;
}

export function LimitNotice({ blockReason, used, limit, now, action }: LimitNoticeProps) {
  if (blockReason !== null) {
    return (
      <Notice isWide tone="danger" icon={IconBan} role="alert" title="API calls are blocked">
        <p>
          {blockReason}. API calls in every environment return 429 <code>usage-blocked</code>. You can still
          edit features, plans and versions.
        </p>
        {action}
      </Notice>
    );
  }
  if (limit === null || used < limit) return null;
  return (
    <Notice isWide role="alert" title={`This month’s limit of ${formatNumber(limit)} API calls is reached`}>
      <p>
        API calls may return 429 <code>usage-blocked</code>. Your allowance renews on{' '}
        {formatUtcDay(nextMonthOf(now))} at midnight UTC.
      </p>
      {action}
    </Notice>
  );
}
