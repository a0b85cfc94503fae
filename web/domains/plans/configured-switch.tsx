/** A switch for one property: configured by the plan, or left at its default. */
import classes from './feature-editor.module.css';

export interface ConfiguredSwitchProps {
  readonly isConfigured: boolean;
  readonly onChange: (isConfigured: boolean) => void;
  /** The property's name, for screen readers. */
  readonly label: string;
}

export function ConfiguredSwitch({ isConfigured, onChange, label }: ConfiguredSwitchProps) {
  return (
    <label className={classes.configured} data-on={isConfigured || undefined}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isConfigured}
        aria-label={`Configure ${label}`}
        className={classes.switch}
        checked={isConfigured}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span aria-hidden>{isConfigured ? 'Configured' : 'Default'}</span>
    </label>
  );
}
