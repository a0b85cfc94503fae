/**
 * Parses the text of a JSON body within limits of depth and values, which are checked on the text, so that a body of brackets is neither
 * parsed nor validated.
 */
import { formatLimit } from '#contracts/public/format-limit';
import { invalidField, Refusal } from './api-error.ts';

const MAX_DEPTH = 32;

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
  const refused = mayNamePrototype(text) ? pathOfPrototype(value) : null;
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
  let depth = 0;
  let values = 0;
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
        depth++;
        values++;
        if (depth > MAX_DEPTH) throw tooComplex(`The body is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x2c: // ,
        values++;
        break;
    }
    if (values > maxValues) throw tooComplex(`The body has more than ${formatLimit(maxValues)} values`);
  }
}

const ESCAPED = /\\u00(5f|6f|7[024])/gi;

/** Other bodies pass without being walked. Also true of a longer key that ends so, after a quote of its own. */
function mayNamePrototype(text: string): boolean {
  const plain = text.includes('\\u00') ? text.replace(ESCAPED, unescaped) : text;
  return plain.includes('__proto__') && /"__proto__"\s*:/.test(plain);
}

function unescaped(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}

/** JSON.parse accepts the key `__proto__`. @returns the path of the first one; null if there is none */
function pathOfPrototype(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return key;
    const path = pathOfPrototype((value as Record<string, unknown>)[key]);
    if (path !== null) return `${key}.${path}`;
  }
  return null;
}
