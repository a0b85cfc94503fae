/** Selects a new property's type, with a description of each. */
import { Box, Fieldset, Text } from '@mantine/core';
import type { PropertyType } from '#contracts/public/values';
import { TYPE_LABELS } from '#web/values/value-labels.ts';
import classes from './features.module.css';

const PURPOSES = [
  ['boolean', 'On or off'],
  ['number', 'An amount, within bounds'],
  ['string', 'Any text'],
  ['meterable', 'On, off, or up to a limit of uses'],
] as const satisfies readonly (readonly [PropertyType, string])[];

export interface TypePickerProps {
  readonly value: PropertyType;
  readonly onChange: (type: PropertyType) => void;
}

export function TypePicker({ value, onChange }: TypePickerProps) {
  return (
    <Fieldset legend="Type">
      <Box className="grid gap-8" style={{ gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
        {PURPOSES.map(([type, purpose]) => (
          <label key={type} className={classes.typeCard}>
            <input
              type="radio"
              name="property-type"
              checked={type === value}
              onChange={() => onChange(type)}
              aria-label={TYPE_LABELS[type]}
            />
            <span className="medium">{TYPE_LABELS[type]}</span>
            <span className="muted tiny">{purpose}</span>
          </label>
        ))}
      </Box>
      <Text fz="xs" c="dimmed" mt={6}>
        Key and type stay as they are once the property is made.
      </Text>
    </Fieldset>
  );
}
