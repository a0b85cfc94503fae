/** What happens to calls of the fake server, as a test says. */
import type { ErrorType } from '#contracts/public/error-types';
import type { RefusalCode } from '#contracts/public/refusals';
import { Refusal } from '#engine/access/api-error';
import type { FakeAnswer } from './fake-api.ts';
import type { Served } from './serve-fake.ts';

type RefusedStatus = 401 | 429 | 500 | 503;
/** What `Fault` of the entry may be, which has its own because its declarations are one file. */
type KnownFault = 'down' | 'silent' | 'lost' | 'page' | RefusedStatus;

type Refused = readonly [ErrorType, RefusalCode, string, { readonly headers?: Record<string, string> }?];
const REFUSED: Readonly<Record<RefusedStatus, Refused>> = {
  401: ['unauthenticated', 'key-unknown', 'The key is revoked'],
  429: ['rate-limited', 'too-many-calls', 'Too many calls', { headers: { 'retry-after': '1' } }],
  500: ['server-error', 'server-error', 'Something went wrong'],
  503: ['unavailable', 'environment-unavailable', 'Not available right now'],
};

/** @param fault undefined: none @throws {ApiError} @throws {TypeError} as fetch does without a connection */
export async function meetFault(
  fault: KnownFault | undefined,
  { signal }: Request,
  serve: Served,
): Promise<FakeAnswer | Response> {
  if (fault === 'down') throw new TypeError('fetch failed: the fake server is down');
  if (fault === 'silent') return untilAborted(signal);
  if (fault === 'page') return new Response('<html>', { headers: { 'content-type': 'text/html' } });
  if (fault !== undefined && fault !== 'lost') throw new Refusal(...REFUSED[fault]);
  const answer = await serve();
  if (fault === 'lost') throw new TypeError('fetch failed: the answer of the fake server is lost');
  return answer;
}

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
