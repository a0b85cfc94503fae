/**
 * Calls the public API with an API key, as an application does: the call is recorded. A refused key says nothing about the session, so
 * this is apart from call.ts.
 */
import type { AnswerOf, BodyInputOf, Endpoint } from '#contracts/public/endpoint';
import { errorOf, networkError } from './api-error.ts';

/** @throws {ApiError} for every response that is not a success, and for network failures */
export async function callWithKey<E extends Endpoint>(
  { method, path }: E,
  key: string,
  body: BodyInputOf<E>,
): Promise<AnswerOf<E>> {
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw networkError();
  });
  const text = await response.text().catch(() => {
    throw networkError();
  });
  const error = errorOf(response.status, text, response.headers.get('x-request-id') ?? undefined);
  if (error !== null) throw error;
  return JSON.parse(text) as AnswerOf<E>;
}
