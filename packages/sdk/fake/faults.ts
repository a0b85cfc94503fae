/** What happens to calls of the fake server, as a test says. */
import type { ErrorType } from '#contracts/public/error-types';
import type { RefusalCode } from '#contracts/public/refusals';
import { Refusal } from '#engine/access/api-error';
import type { Fault } from '../fake-server.ts';
import type { FakeAnswer } from './fake-api.ts';
import type { Served } from './serve-fake.ts';

/** @param fault undefined: none @throws {ApiError} @throws {TypeError} as fetch does without a connection */
export async function meetFault(
  fault: Fault | undefined,
  { signal }: Request,
  serve: Served,
): Promise<FakeAnswer | Response> {
  if (fault === 'down') throw new TypeError('fetch failed: the fake server is down');
  if (fault === 'silent') return untilAborted(signal);
  if (fault === 'page') return new Response('<html>', { headers: { 'content-type': 'text/html' } });
  if (fault !== undefined && fault !== 'lost') throw new Refusal(...FAULTS[fault]);
  const answer = await serve();
  if (fault === 'lost') throw new TypeError('fetch failed: the answer of the fake server is lost');
  return answer;
}

type Refused = readonly [ErrorType, RefusalCode, string, { readonly headers?: Record<string, string> }?];
const FAULTS: Readonly<Record<Exclude<Fault, 'down' | 'silent' | 'lost' | 'page'>, Refused>> = {
  401: ['unauthenticated', 'key-unknown', 'The key is revoked'],
  429: ['rate-limited', 'too-many-calls', 'Too many calls', { headers: { 'retry-after': '1' } }],
  500: ['server-error', 'server-error', 'Something went wrong'],
  503: ['unavailable', 'environment-unavailable', 'Not available right now'],
};

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
