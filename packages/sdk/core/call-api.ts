/** One call of the API: bounded in time and bytes, and clear about whatever answers instead of it. */
import type { TesseraError } from '../index.ts';
import { isObject } from './answer.ts';
import { elapsedMs } from './clock.ts';
import { asError, notOurs, RaisedError, type Type } from './error.ts';
import { inTime } from './in-time.ts';

export interface Received {
  readonly body: Record<string, unknown>;
  /** When it was asked, by `elapsedMs`. */
  readonly at: number;
  /** Of its text, in characters. */
  readonly length: number;
}

export interface Call {
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** With one it is a POST. */
  readonly body?: object | undefined;
}

export const CHECKS = '/api/v1/access-checks';
export const BATCH = `${CHECKS}/batch`;

/** With or without what every path begins with. */
export const addressOf = (url: string): string => url.replace(/(\/api\/v1)?\/*$/, '');

/** Where something else than the API has answered. */
const TYPES: Readonly<Record<number, Type>> = { 404: 'not-found', 408: 'unavailable', 429: 'rate-limited' };

/** @param call what it takes to know it is within its bound, too. @throws {TesseraError} */
export async function callApi(
  call: Call | Promise<Call>,
  timeoutMs: number,
  send = fetch,
  signal?: AbortSignal,
): Promise<Received> {
  const at = elapsedMs();
  const controller = new AbortController();
  /** For messages. */
  let name = '';
  const work = async () => {
    const { url, headers: sent, body } = await call;
    const method = body ? 'POST' : 'GET';
    name = `${method} ${url}`;
    const response = await send(url, {
      method,
      headers: sent,
      body: JSON.stringify(body),
      // A call that is redirected would be repeated without its body.
      redirect: 'manual',
      signal: controller.signal,
    });
    const { ok, status, headers } = response;
    const text = await bounded(response).text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      // Said below.
    }
    if (!ok) throw refusal(status, Object(json), headers, name);
    if (!isObject(json)) throw notOurs(`${headers.get('content-type')}, no JSON, from ${name}`);
    return { body: json, at, length: text.length };
  };
  try {
    return await inTime(work(), timeoutMs, signal);
  } catch (error) {
    controller.abort();
    throw asError(error, name);
  }
}

/** React Native has no streams, and bounds nothing. */
function bounded(response: Response): Pick<Response, 'text'> {
  const { body } = response;
  if (!body?.pipeThrough || !globalThis.TransformStream) return response;
  /** Several times the largest workspace. */
  let left = 16_000_000;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) throw notOurs('too long');
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counting));
}

/** What an error response says, or something else than the API. @param status null: it is a result in a batch @param name of the call, for people */
export function refusal(
  status: number | null,
  { errorType, code = null, message, issues = [], requestId = null }: Record<string, unknown>,
  headers: Headers,
  name = '',
): TesseraError {
  const type =
    errorType ?? TYPES[status as number] ?? ((status as number) >= 500 ? 'unavailable' : 'invalid-request');
  const location = headers.get('location');
  const text = message ?? `${name} is not Tessera: ${status}${location ? `, redirects to ${location}` : ''}`;
  // Seconds, or a date.
  const after = headers.get('retry-after') as string;
  return new RaisedError(`${type}`, `${text}`, {
    code: code as TesseraError['code'],
    status,
    requestId: requestId as string | null,
    retryAfterMs: Math.max(0, +after * 1000 || Date.parse(after) - Date.now()) || null,
    issues: issues as TesseraError['issues'],
  });
}
