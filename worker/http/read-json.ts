/** Reads a request's JSON body within limits of bytes, depth and values, with or without a content-length. */
import { notUtf8, parseJson, tooLarge } from '#engine/access/parse-json';
import { CallerGone } from './api-error.ts';

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
