/** Reads a request's JSON as the API does. */
import { invalidField } from '#engine/access/api-error';
import { ensureJsonType } from '#engine/access/json-type';
import { notUtf8, parseJson, tooLarge } from '#engine/access/parse-json';

export interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** @returns an empty object where there is no body @throws {ApiError} */
export async function readBody(request: Request, limits: BodyLimits): Promise<Record<string, unknown>> {
  ensureJsonType(request, false);
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > limits.bytes) throw tooLarge(limits.bytes);
  const value = parseJson(textOf(bytes), limits.values) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidField('', 'Must be an object');
  return value as Record<string, unknown>;
}

function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}
