/** The buttons of a dialog, with a line of text beside them if there is one. They stay in view while the dialog scrolls. */
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './dialog-footer.module.css';

export interface DialogFooterProps extends Pick<ComponentPropsWithRef<'div'>, 'role'> {
  readonly text?: ReactNode;
  /** Buttons, the action last. */
  readonly children: ReactNode;
}

export function DialogFooter({ role, text, children }: DialogFooterProps) {
  return (
    <div className={classes.footer} role={role}>
      {text !== undefined && <div className={classes.text}>{text}</div>}
      {children}
    </div>
  );
}
