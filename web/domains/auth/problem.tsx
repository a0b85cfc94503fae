/** Error message of a whole form, announced to screen readers immediately. */
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
