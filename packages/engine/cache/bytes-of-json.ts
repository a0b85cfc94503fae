/** How much memory a value takes that was parsed from JSON, as V8 stores it with compressed pointers. */

/** Without its fields. */
export const BYTES_PER_OBJECT = 12;
/** Of a field, or an element of an array. */
export const BYTES_PER_SLOT = 4;
const BYTES_PER_ARRAY = 28;
const BYTES_PER_TEXT = 14;
/** The parser shares texts of up to this length, as it does names of fields. */
const SHARED_LENGTH = 10;
/** Numbers beyond this are objects. */
const MAX_SMALL = 2 ** 30;

/** @param before the element before it in a list, with whose equal texts the parser shares memory */
export function bytesOfJson(value: unknown, before?: unknown): number {
  if (typeof value === 'string') {
    return value.length <= SHARED_LENGTH || value === before ? 0 : bytesOfText(value);
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) && Math.abs(value) < MAX_SMALL ? 0 : BYTES_PER_OBJECT;
  }
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) {
    return value.reduce<number>(
      (bytes, each, place) => bytes + BYTES_PER_SLOT + bytesOfJson(each, value[place - 1]),
      BYTES_PER_ARRAY,
    );
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const sibling = (typeof before === 'object' ? before : null) as typeof fields | null;
  let bytes = BYTES_PER_OBJECT;
  for (const name in fields) bytes += BYTES_PER_SLOT + bytesOfJson(fields[name], sibling?.[name]);
  return bytes;
}

/** A text beyond Latin-1 takes two bytes a character. */
export function bytesOfText(text: string): number {
  return BYTES_PER_TEXT + (isLatinText(text) ? text.length : 2 * text.length);
}

export function isLatinText(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text);
}
