/** A row of options with one selected, such as languages or statuses. Scrolls sideways if there are many. */
import classes from './choice-bar.module.css';

export interface ChoiceBarProps<Id extends string> {
  readonly label: string;
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

export function ChoiceBar<Id extends string>({ label, choices, chosen, onChoose }: ChoiceBarProps<Id>) {
  return (
    <fieldset className={classes.bar} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          className={classes.choice}
          aria-pressed={choice.id === chosen}
          onClick={() => onChoose(choice.id)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
