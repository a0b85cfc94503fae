/**
 * Reads a request's JSON body within a limit of bytes, with or without a content-length. Refuses nesting deeper than 32
 * and the key `__proto__`, which JSON.parse accepts.
 */
import { ApiError, invalidField, invalidRequest } from './api-error.ts';

const MAX_DEPTH = 32;

/**
 * @returns undefined where there is no body
 * @throws {ApiError} payload-too-large, or invalid-request
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidRequest([{ path: '', message: 'The body is not valid JSON' }]);
  }
  if (mayBeHostile(text)) ensureHarmless(value, '', 0);
  return value;
}

/** @throws {ApiError} payload-too-large */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new ApiError('payload-too-large', `The body is larger than ${Math.floor(maxBytes / 1024)} KiB`);
  const announced = request.headers.get('content-length');
  if (announced !== null) {
    if (!(Number(announced) <= maxBytes)) throw tooLarge();
    return request.text();
  }
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Ordinary bodies pass without being walked: only brackets in a number that could nest too deep, or the key's text. */
function mayBeHostile(text: string): boolean {
  if (text.includes('__proto__') || /\\u005f/i.test(text)) return true;
  let openings = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) openings++;
  }
  return openings > MAX_DEPTH;
}

function ensureHarmless(value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalidField(path, `Nested deeper than ${MAX_DEPTH} levels`);
  for (const key of Object.keys(value)) {
    const childPath = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') throw invalidField(childPath, 'This name cannot be used');
    ensureHarmless((value as Record<string, unknown>)[key], childPath, depth + 1);
  }
}
