/** Tells the type of a value of which nothing else is known. */
import type { PropertyType } from '#contracts/public/values';

/** Whether a value, or what an access check answers for it, can be of a type. No two types share a value. */
const MATCHES: Readonly<Record<PropertyType, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  meterable: (value) => typeof value === 'object' && value !== null && 'state' in value,
};

const TYPES = Object.keys(MATCHES) as readonly PropertyType[];

/** Null if no type has such values. */
export function typeOfValue(value: unknown): PropertyType | null {
  for (const type of TYPES) if (MATCHES[type](value)) return type;
  return null;
}
