/** How one field of a property is shown where two people changed it. */
import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.ts';
import { readValue } from '../../values/check-value-form.ts';
import { PropertyValueView } from '../../values/property-value.tsx';
import { resolutionWords } from '../../values/value-words.ts';
import type { PropertyFormValues } from './property-form.ts';

export function shownField(field: keyof PropertyFormValues, values: PropertyFormValues): ReactNode {
  const { type } = values;
  switch (field) {
    case 'value': {
      const value = readValue({ type }, values.value);
      return value === null ? 'Not a value yet' : <PropertyValueView type={type} value={value} />;
    }
    case 'min':
    case 'max': {
      const bound = values[field];
      return bound === null ? 'None' : Number.isNaN(bound) ? 'Not a number' : formatNumber(bound);
    }
    case 'allowDecimal':
      return values.allowDecimal ? 'Allowed' : 'Not allowed';
    case 'conflictResolution':
      return resolutionWords(values.conflictResolution, type);
    default:
      return values[field] === '' ? 'Empty' : values[field];
  }
}
