/** The initial default of a property, by type. */
import type { PropertyType, PropertyValue } from '#contracts/public/values';

/** Number 0, boolean false, string empty, meterable on. */
export function defaultValue(type: PropertyType): PropertyValue {
  switch (type) {
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'string':
      return '';
    case 'meterable':
      return { state: 'on' };
  }
}
