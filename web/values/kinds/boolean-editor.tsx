import classes from '../values.module.css';
import type { ControlProps, KindEditor } from './kind.ts';

export const booleanEditor: KindEditor = { Control: BooleanControl, details: null };

function BooleanControl({ label, disabled, size, describedBy, value, onChange }: ControlProps) {
  const isOn = value === true;
  return (
    <label className={classes.switchLabel} data-size={size}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        className={classes.switch}
        aria-label={label}
        aria-describedby={describedBy}
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span aria-hidden>{isOn ? 'On' : 'Off'}</span>
    </label>
  );
}
