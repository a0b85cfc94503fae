/** Whether something is on. */
import classes from './values.module.css';

export function Pill({ isOn, label }: { readonly isOn: boolean; readonly label: string }) {
  return (
    <span className={classes.pill} data-on={isOn || undefined}>
      {label}
    </span>
  );
}
