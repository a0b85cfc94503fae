/** A segmented control made of plain radio buttons, without script. */
import { useId } from 'react';
import type { ControlSize } from './number-field.tsx';
import classes from './values.module.css';

export interface ChoiceFieldProps<Choice extends string> {
  readonly choices: readonly { readonly value: Choice; readonly label: string }[];
  readonly value: Choice;
  readonly onChange: (value: Choice) => void;
  readonly label: string;
  readonly disabled?: boolean | undefined;
  readonly size?: ControlSize | undefined;
  readonly describedBy?: string | undefined;
}

export function ChoiceField<Choice extends string>(props: ChoiceFieldProps<Choice>) {
  const { choices, value, onChange, label, disabled, size = 'regular', describedBy } = props;
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      className={classes.choices}
      data-size={size}
    >
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            className={classes.radio}
            checked={choice.value === value}
            disabled={disabled}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
