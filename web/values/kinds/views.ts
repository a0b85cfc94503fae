/** How each type is called and shown. A type that is missing here does not compile. */
import type { PropertyType, PropertyValue, ValuesByType } from '#contracts/public/values';
import { booleanView } from './boolean.tsx';
import type { KindView } from './kind.ts';
import { meterableView } from './meterable.tsx';
import { numberView } from './number.tsx';
import { stringView } from './string.tsx';

/** In the order in which somebody chooses one. */
const VIEWS: { readonly [Type in PropertyType]: KindView<ValuesByType[Type]> } = {
  boolean: booleanView,
  number: numberView,
  string: stringView,
  meterable: meterableView,
};

export const PROPERTY_TYPES = Object.keys(VIEWS) as readonly PropertyType[];

/** What is passed to it must be of `type`. */
export function viewOf(type: PropertyType): KindView<PropertyValue> {
  return VIEWS[type];
}
