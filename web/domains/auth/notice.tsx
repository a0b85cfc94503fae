/** Message from the previous page, above this page's form. */
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import classes from './auth.module.css';

export interface NoticeProps {
  readonly title: string;
  /** Nothing was achieved. */
  readonly isNeutral?: boolean;
  readonly children: string;
}

export function Notice({ title, isNeutral = false, children }: NoticeProps) {
  const Icon = isNeutral ? IconAlertCircle : IconCircleCheck;
  return (
    <div className={classes.notice} data-neutral={isNeutral || undefined} role="status">
      <Icon size={17} aria-hidden />
      <div>
        <strong>{title}</strong>
        <span>{children}</span>
      </div>
    </div>
  );
}
