/** One call of the API: bounded in time and bytes, and clear about whatever answers instead of it. */
import type { TesseraError } from '../index.ts';
import { isObject } from './answer.ts';
import { asError, notOurs, RaisedError, type Type } from './error.ts';
import { inTime } from './in-time.ts';

export interface Received {
  readonly body: Record<string, unknown>;
  /** When the server answered, by its clock; NaN if the response has no date. */
  readonly dateMs: number;
}

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly timeoutMs: number;
}

/** Of characters: several times the largest workspace. */
const MAX_LENGTH = 16 * 1024 * 1024;

/** @throws {TesseraError} */
export async function callApi(
  { method, url, headers, body, timeoutMs }: Call,
  fetch: typeof globalThis.fetch,
): Promise<Received> {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const work = async () => {
    const response = await fetch(url, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A call that is redirected would be repeated without its body.
      redirect: 'manual',
      signal: controller.signal,
    });
    return read(response, stop);
  };
  try {
    return await inTime(work(), timeoutMs, undefined, stop);
  } catch (error) {
    throw asError(error);
  }
}

async function read(response: Response, stop: () => void): Promise<Received> {
  const { status, headers } = response;
  const body = parse(await boundedText(response, stop));
  if (!response.ok) throw refusal(status, body ?? {}, headers);
  if (body === null) throw notOurs(`${headers.get('content-type')}, no JSON`);
  return { body, dateMs: Date.parse(headers.get('date') ?? '') };
}

/** What is longer is cut off, and then is no JSON. */
async function boundedText({ body }: Response, stop: () => void): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.length < MAX_LENGTH) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return text;
    text += value;
  }
  stop();
  return '';
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Where something else than the API has answered. */
function typeOf(status: number | null): Type {
  if (status === 429) return 'rate-limited';
  if (status === 408 || Number(status) >= 500) return 'unavailable';
  return status === 404 ? 'not-found' : 'invalid-request';
}

/** What an error response says. @param status null: it is a result in a batch */
export function refusal(
  status: number | null,
  { errorType, message, issues, requestId }: Record<string, unknown>,
  headers = new Headers(),
): TesseraError {
  const text = message ?? `${status} ${headers.get('location') ?? ''} is not Tessera's`;
  return new RaisedError(String(errorType ?? typeOf(status)), String(text), {
    status,
    requestId: (requestId ?? headers.get('x-request-id')) as string | null,
    retryAfterMs: retryAfter(headers.get('retry-after')),
    issues: (issues ?? []) as TesseraError['issues'],
  });
}

/** Seconds, or a date. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  return (Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000) || null;
}
