/**
 * Parses the text of a JSON body within limits of depth, values and keys, which are checked on the text, so that a body of brackets is neither
 * parsed nor validated.
 */
import { formatLimit } from '#contracts/public/format-limit';
import { invalidField, Refusal } from './api-error.ts';

const MAX_DEPTH = 32;
/** Of one object: each is validated by itself, and slowly where a schema takes any key. As many as a public call has values. */
const MAX_KEYS = 4_000;

/**
 * @param maxValues of lists, objects and their entries, counted together
 * @returns undefined for an empty text
 * @throws {ApiError} invalid-request
 */
export function parseJson(text: string, maxValues: number): unknown {
  if (text === '') return undefined;
  ensureBounded(text, maxValues);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidField('', 'The body is not valid JSON', 'body-malformed');
  }
  const refused = PROTOTYPE_KEY.test(text) ? pathOfPrototype(value) : null;
  if (refused !== null) throw invalidField(refused, 'This name is not allowed');
  return value;
}

export const notUtf8 = () => invalidField('', 'The body is not valid UTF-8', 'body-malformed');

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'payload-too-large',
    'body-too-large',
    `The body is larger than ${formatLimit(Math.floor(maxBytes / 1024))} KiB`,
  );
}

const tooComplex = (why: string) => invalidField('', why, 'body-too-complex');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets and commas outside strings. Text that is not JSON passes: the parser refuses it. */
function ensureBounded(text: string, maxValues: number): void {
  let isString = false;
  let values = 0;
  let keys = 0;
  /** Keys of the open objects but the last of each, and less than 0 for lists. */
  const open: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) isString = false;
      continue;
    }
    switch (code) {
      case QUOTE:
        isString = true;
        break;
      case 0x7b: // {
      case 0x5b: // [
        open.push(code === 0x7b ? 0 : -maxValues);
        values++;
        if (open.length > MAX_DEPTH) throw tooComplex(`The body is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x2c: // ,
        values++;
        keys = (open.pop() ?? 0) + 1;
        if (keys >= MAX_KEYS) throw tooMany(MAX_KEYS, 'keys in an object');
        open.push(keys);
        break;
    }
    if (values > maxValues) throw tooMany(maxValues, 'values');
  }
}

const tooMany = (max: number, what: string) =>
  tooComplex(`The body has more than ${formatLimit(max)} ${what}`);

/**
 * The key in the text of valid JSON, whichever of its letters are escaped: a quote within a text is escaped, so
 * a text that contains the name is not one. One in capitals is, which the walk finds out.
 */
const PROTOTYPE_KEY =
  /[^\\]"(_|\\u005f){2}(p|\\u0070)(r|\\u0072)(o|\\u006f)(t|\\u0074)(o|\\u006f)(_|\\u005f){2}"\s*:/i;

/** JSON.parse accepts the key `__proto__`. @returns the path of the first one; null if a later value replaced it */
function pathOfPrototype(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return key;
    const path = pathOfPrototype((value as Record<string, unknown>)[key]);
    if (path !== null) return `${key}.${path}`;
  }
  return null;
}
