/** What Stripe, or we, refused: what happened, what stands, and the request id to quote. */
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyId } from '../../../ui/copy-id.tsx';
import classes from './stripe.module.css';

export interface NoticeProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Told at once to whoever listens; false of what stands for long. */
  readonly isNew?: boolean;
  readonly requestId?: string | undefined;
}

export function Notice({ title, children, isNew = false, requestId }: NoticeProps) {
  return (
    <div className={classes.notice} role={isNew ? 'alert' : 'note'}>
      <IconAlertTriangle size={16} aria-hidden className={classes.noticeIcon} />
      <div className={classes.noticeWords}>
        <p className={classes.noticeTitle}>{title}</p>
        <div>{children}</div>
        {requestId !== undefined && <CopyId value={requestId} label="request id" />}
      </div>
    </div>
  );
}
