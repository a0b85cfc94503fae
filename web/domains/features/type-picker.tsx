/** Selects a new property's type, with a description of each. */
import type { PropertyType } from '#contracts/public/values';
import { ChoiceCards } from '#web/ui/inputs/choice-cards.tsx';
import { TYPE_LABELS } from '#web/values/value-labels.ts';

const CHOICES = (
  [
    ['boolean', 'On or off'],
    ['number', 'An amount, within bounds'],
    ['string', 'Any text'],
    ['meterable', 'On, off, or up to a limit of uses'],
  ] as const satisfies readonly (readonly [PropertyType, string])[]
).map(([value, description]) => ({ value, label: TYPE_LABELS[value], description }));

export interface TypePickerProps {
  readonly value: PropertyType;
  readonly onChange: (type: PropertyType) => void;
}

export function TypePicker({ value, onChange }: TypePickerProps) {
  return (
    <ChoiceCards
      legend="Type"
      choices={CHOICES}
      value={value}
      onChange={onChange}
      note="Key and type can’t be changed later."
    />
  );
}
