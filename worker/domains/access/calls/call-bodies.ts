/**
 * Parses the bodies of the public API. Applications repeat their bodies, so the latest ones are cached by their text: a repeated
 * body is neither scanned, parsed nor validated again.
 */
import type { z } from 'zod';
import { parseJson } from '#engine/access/parse-json';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { parse } from '#worker/http/parse';

/** UTF-16 units of one generation of texts: about 5,000 bodies. Their values take about four times as much. */
const MAX_CACHED_UNITS = 500_000;
const MAX_CACHED_LENGTH = 300;

export interface CallBody<Value> {
  /** As it was sent; undefined if it was empty. Shared by calls, so it is never changed. */
  readonly sent: unknown;
  readonly value: Readonly<Value>;
}

/** The bodies of one call. */
export class CallBodies<Value> {
  readonly #schema: z.ZodType<Value>;
  readonly #maxValues: number;
  readonly #latest = new BoundedCache<string, CallBody<Value>>(MAX_CACHED_UNITS, ({ length }) => length + 1);

  /** @param maxValues see PublicEndpoint */
  constructor(schema: z.ZodType<Value>, maxValues: number) {
    this.#schema = schema;
    this.#maxValues = maxValues;
  }

  /** @throws {ApiError} invalid-request with an issue per field */
  parse(text: string): CallBody<Value> {
    const cached = this.#latest.get(text);
    if (cached !== undefined) return cached;
    const sent = parseJson(text, this.#maxValues);
    const body = { sent, value: parse(this.#schema, sent === undefined ? {} : sent) };
    if (text.length <= MAX_CACHED_LENGTH && !mayHaveToken(text)) this.#latest.set(text, body);
    return body;
  }
}

/** At any depth. Escapes may hide its name. */
function mayHaveToken(text: string): boolean {
  return text.includes('userJwt') || text.includes('\\');
}

/** A token is a credential: it is neither cached nor recorded. */
export function hasToken(sent: unknown): sent is { readonly userJwt: unknown } {
  return typeof sent === 'object' && sent !== null && 'userJwt' in sent;
}
