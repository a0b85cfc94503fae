/** Success message from the previous page, above this page's form. */
import { IconCircleCheck } from '@tabler/icons-react';
import classes from './auth.module.css';

export function Notice({ title, children }: { title: string; children: string }) {
  return (
    <div className={classes.notice} role="status">
      <IconCircleCheck size={17} aria-hidden />
      <div>
        <strong>{title}</strong>
        <span>{children}</span>
      </div>
    </div>
  );
}
