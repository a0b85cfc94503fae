/** A form's fields in one column of readable width. All of them can be disabled together. */
import type { ReactNode } from 'react';
import classes from './fields.module.css';

export function Fields({ isDisabled = false, children }: { isDisabled?: boolean; children: ReactNode }) {
  return (
    <fieldset className={classes.fields} disabled={isDisabled}>
      {children}
    </fieldset>
  );
}
