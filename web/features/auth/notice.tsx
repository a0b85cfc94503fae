/** What went well on the page before, said above the form that follows from it. */
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
