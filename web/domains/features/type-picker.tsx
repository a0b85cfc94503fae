/** Selects a new property's type, with a description of each. */
import type { PropertyType } from '#contracts/public/values';
import { ChoiceCards } from '#web/ui/inputs/choice-cards.tsx';
import { PROPERTY_TYPES, viewOf } from '#web/values/kinds/views.ts';

const CHOICES = PROPERTY_TYPES.map((type) => {
  const { label, description } = viewOf(type);
  return { value: type, label, description };
});

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
