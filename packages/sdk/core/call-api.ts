/** One call of the API: bounded in time and bytes, and clear about whatever answers instead of it. */
import type { TesseraError } from '../index.ts';
import { isObject } from './answer.ts';
import { asError, notOurs, RaisedError, type Type } from './error.ts';
import { inTime } from './in-time.ts';

export interface Received {
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
  /** When it was asked, epoch milliseconds. */
  readonly at: number;
}

export interface Call {
  readonly url: string;
  readonly headers?: Record<string, string>;
  /** With one it is a POST. */
  readonly body?: object | undefined;
}

export const CHECKS = '/api/v1/access-checks';
/** Where something else than the API has answered. */
const TYPES: Readonly<Record<number, Type>> = { 404: 'not-found', 408: 'unavailable', 429: 'rate-limited' };

/** @param call what it takes to know it is within its bound, too. @throws {TesseraError} */
export async function callApi(
  call: Call | Promise<Call>,
  timeoutMs: number,
  send = fetch,
): Promise<Received> {
  const at = Date.now();
  const controller = new AbortController();
  const work = async () => {
    const { url, headers: sent, body } = await call;
    const {
      ok,
      status,
      headers,
      body: stream,
    } = await send(url, {
      method: body && 'POST',
      headers: sent,
      body: JSON.stringify(body),
      // A call that is redirected would be repeated without its body.
      redirect: 'manual',
      signal: controller.signal,
    });
    const text = await bounded(stream).text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      // Said below.
    }
    if (!ok) throw refusal(status, Object(json), headers);
    if (!isObject(json)) throw notOurs(`${headers.get('content-type')}, no JSON`);
    return { body: json, headers, at };
  };
  try {
    return await inTime(work(), timeoutMs);
  } catch (error) {
    controller.abort();
    throw asError(error);
  }
}

/** What is longer is cut off, and then is no JSON. */
function bounded(body: Response['body']): Response {
  /** Several times the largest workspace. */
  let left = 16_000_000;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left > 0) controller.enqueue(chunk);
      else controller.terminate();
    },
  });
  return new Response(body?.pipeThrough(counting));
}

/** What an error response says, or something else than the API. @param status null: it is a result in a batch */
export function refusal(
  status: number | null,
  { errorType, message, issues = [], requestId = null }: Record<string, unknown>,
  headers: Headers,
): TesseraError {
  const type =
    errorType ?? TYPES[status as number] ?? ((status as number) >= 500 ? 'unavailable' : 'invalid-request');
  const text = message ?? `Not Tessera's: ${status} ${headers.get('location') ?? ''}`;
  // Seconds, or a date.
  const after = headers.get('retry-after') as string;
  return new RaisedError(`${type}`, `${text}`, {
    status,
    requestId: requestId as string | null,
    retryAfterMs: Math.max(0, +after * 1000 || Date.parse(after) - Date.now()) || null,
    issues: issues as TesseraError['issues'],
  });
}
