/** The fields of a form one below the other, at a width that reads well; all of them can be disabled at once. */
import type { ReactNode } from 'react';
import classes from './fields.module.css';

export function Fields({ isDisabled = false, children }: { isDisabled?: boolean; children: ReactNode }) {
  return (
    <fieldset className={classes.fields} disabled={isDisabled}>
      {children}
    </fieldset>
  );
}
