/** A boxed message: what happened, what to do about it, and the request id for support. */
import { IconAlertTriangle, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyId } from '../copy/copy-id.tsx';
import classes from './notice.module.css';

export interface NoticeProps {
  readonly title?: ReactNode;
  readonly children: ReactNode;
  readonly tone?: 'warning' | 'danger' | 'neutral';
  readonly icon?: TablerIcon;
  /** Full width, for the top of a page. The default fits the width of a form. */
  readonly isWide?: boolean;
  /** Screen readers announce `alert` immediately. */
  readonly role?: 'alert' | 'note' | 'status' | undefined;
  readonly requestId?: string | undefined;
}

export function Notice(props: NoticeProps) {
  const { title, children, tone = 'warning', icon: Icon = IconAlertTriangle } = props;
  const { isWide = false, role, requestId } = props;
  return (
    <div className={classes.notice} data-tone={tone} data-wide={isWide || undefined} role={role}>
      <Icon size={isWide ? 18 : 16} aria-hidden className={classes.icon} />
      <div className={`column fill top breaks gap-4 ${classes.content}`}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        <div>{children}</div>
        {requestId !== undefined && <CopyId value={requestId} label="request ID" />}
      </div>
    </div>
  );
}
