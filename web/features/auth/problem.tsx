/** What went wrong with a form as a whole, said at once to screen readers too. */
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './auth.module.css';

export function Problem({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <p className={classes.problem} role="alert">
      <IconAlertCircle size={15} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
