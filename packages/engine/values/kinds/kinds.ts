/** Every type of property. A type that is missing here, or of which something is missing, does not compile. */
import type { PropertyType, PropertyValue, ValuesByType } from '#contracts/public/values';
import { booleanKind } from './boolean.ts';
import type { Kind } from './kind.ts';
import { meterableKind } from './meterable.ts';
import { numberKind } from './number.ts';
import { stringKind } from './string.ts';

const KINDS: { readonly [Type in PropertyType]: Kind<ValuesByType[Type]> } = {
  number: numberKind,
  boolean: booleanKind,
  string: stringKind,
  meterable: meterableKind,
};

/** What is passed to it must be of `type`, apart from what it checks. */
export function kindOf(type: PropertyType): Kind<PropertyValue> {
  return KINDS[type];
}
