/**
 * Reads a request's JSON body within limits of bytes, depth and values, with or without a content-length. The limits are
 * checked on the text, so that a body of brackets is neither parsed nor validated.
 */
import { formatLimit } from '#contracts/public/format-limit';
import { ApiError, CallerGone, invalidField, invalidRequest } from './api-error.ts';

const MAX_DEPTH = 32;

export interface BodyLimits {
  readonly bytes: number;
  /** Lists, objects and their entries, counted together. */
  readonly values: number;
}

/**
 * @returns undefined where there is no body
 * @throws {ApiError} payload-too-large, or invalid-request
 */
export async function readJson(request: Request, { bytes, values }: BodyLimits): Promise<unknown> {
  return parseJson(await readText(request, bytes), values);
}

/**
 * @param maxValues see BodyLimits
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
    throw invalidRequest([{ path: '', message: 'The body is not valid JSON' }]);
  }
  const refused = mayNamePrototype(text) ? pathOfPrototype(value) : null;
  if (refused !== null) throw invalidField(refused, 'This name is not allowed');
  return value;
}

/** Bytes that are not UTF-8 are refused, not replaced: different texts would become one. */
const UTF_8 = { fatal: true, ignoreBOM: false } as const;
const encoder = new TextEncoder();

/**
 * The runtime's errors while it reads are those of the connection, so they are the caller's.
 * @throws {ApiError} payload-too-large, or CallerGone; invalid-request if the body is not UTF-8
 */
export function readText(request: Request, maxBytes: number): Promise<string> {
  const announced = request.headers.get('content-length');
  if (announced === null) return readUnannounced(request, maxBytes);
  if (!(Number(announced) <= maxBytes)) throw tooLarge(maxBytes);
  return request.text().then((text) => ensureUtf8(text, Number(announced)), refuseUnfinished);
}

/**
 * `text()` spares a buffer, about a twentieth of a check’s time, and replaces what is not UTF-8 by U+FFFD: three bytes
 * for one or two, so the text has more than were sent. Only a character of four bytes without its last is replaced unseen.
 */
function ensureUtf8(text: string, sentBytes: number): string {
  const isReplaced = text.includes('\uFFFD') && encoder.encode(text).byteLength !== sentBytes;
  if (isReplaced) throw notUtf8();
  return text;
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = () => invalidField('', 'The body is not valid UTF-8');

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'payload-too-large',
    `The body is larger than ${formatLimit(Math.floor(maxBytes / 1024))} KiB`,
  );
}

/** Stops reading at the limit. */
async function readUnannounced(request: Request, maxBytes: number): Promise<string> {
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const streaming = new TextDecoder('utf-8', UTF_8);
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(refuseUnfinished);
    if (done) return text + decoded(() => streaming.decode());
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw tooLarge(maxBytes);
    }
    text += decoded(() => streaming.decode(value, { stream: true }));
  }
}

function refuseUnfinished(): never {
  throw new CallerGone();
}

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
        if (depth > MAX_DEPTH) throw invalidField('', `The body is nested deeper than ${MAX_DEPTH} levels`);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x2c: // ,
        values++;
        break;
    }
    if (values > maxValues) throw invalidField('', `The body has more than ${formatLimit(maxValues)} values`);
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
