/**
 * Who calls the public API: the key's text says its environment, the environment's snapshot knows the hashes of its
 * live keys. A key of one environment is never looked up in another's. On a warm isolate nothing is awaited or hashed.
 */
import { parseApiKey } from '#engine/identity/api-key';
import { ApiError } from '#worker/http/api-error';
import type { Place } from '#worker/http/place';
import { sha256Hex } from '#worker/platform/hash';
import {
  type KeyRecord,
  type LoadedEnvironment,
  rememberKey,
  type SnapshotCache,
  type WaitUntil,
} from './snapshot-cache.ts';

export interface Authenticated {
  readonly loaded: LoadedEnvironment;
  readonly key: KeyRecord;
}

type Refusal = 'key-missing' | 'key-malformed' | 'key-unknown';

const MESSAGES: Record<Refusal, string> = {
  'key-missing': 'Send an API key in the header Authorization: Bearer tsr_…',
  'key-malformed': 'The API key is mistyped or incomplete',
  'key-unknown': 'The API key is unknown or was revoked',
};

/** Headers that were read already, and the environments that they are for. Bounded. */
const environmentByHeader = new Map<string, string>();
const MAX_HEADERS = 1_000;

/** The answer without waiting, where this isolate has seen the header and its snapshot is fresh; else ask authenticateKey. */
export function recallKey(
  cache: SnapshotCache,
  authorization: string | null,
  now: number,
): Authenticated | undefined {
  const environmentId = authorization === null ? undefined : environmentByHeader.get(authorization);
  if (authorization === null || environmentId === undefined) return undefined;
  const loaded = cache.fresh(environmentId, now);
  const key = loaded?.keyByHeader.get(authorization);
  return loaded === undefined || key === undefined ? undefined : { loaded, key };
}

/** @throws {ApiError} unauthenticated; unavailable where the environment cannot be loaded from anywhere */
export async function authenticateKey(
  cache: SnapshotCache,
  authorization: string | null,
  place: Place,
  timings: { snapshotMs: number },
  waitUntil: WaitUntil,
): Promise<Authenticated> {
  if (authorization === null || !/^bearer /i.test(authorization)) throw refusal('key-missing');
  const text = authorization.slice('bearer '.length).trim();
  const parsed = parseApiKey(text);
  if (!parsed.ok) throw refusal('key-malformed');

  const askedAt = performance.now();
  let loaded: LoadedEnvironment | null;
  try {
    loaded = await cache.get(parsed.environmentId, place, waitUntil);
  } catch {
    throw new ApiError('unavailable', 'The environment could not be loaded. Try again in a moment.', {
      headers: { 'retry-after': '1' },
    });
  }
  timings.snapshotMs = performance.now() - askedAt;
  if (loaded === null) throw refusal('key-unknown');
  const hash = await sha256Hex(text);
  let key = loaded.keyByHash.get(hash);
  if (key === undefined) {
    loaded = await cache.getNewer(parsed.environmentId, place, waitUntil);
    key = loaded?.keyByHash.get(hash);
  }
  if (loaded === null || key === undefined || key.type !== parsed.type) throw refusal('key-unknown');
  rememberKey(loaded, authorization, key);
  if (environmentByHeader.size >= MAX_HEADERS) environmentByHeader.clear();
  environmentByHeader.set(authorization, parsed.environmentId);
  return { loaded, key };
}

function refusal(reason: Refusal): ApiError {
  return new ApiError('unauthenticated', MESSAGES[reason], { headers: { 'www-authenticate': 'Bearer' } });
}
