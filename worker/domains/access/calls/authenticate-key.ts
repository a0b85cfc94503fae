/**
 * Authenticates calls of the public API. The key contains its environment's id, and that environment's snapshot has the
 * hashes of its active keys. A warm isolate authenticates synchronously, without hashing.
 */

import type { Place } from '#engine/access/place';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { parseApiKey } from '#engine/identity/api-key';
import { CALL_MS } from '#engine/outages/budget';
import { inTime } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import { sha256Hex } from '#runtime/hash';
import {
  type KeyRecord,
  type LoadedEnvironment,
  LookupLimitError,
  type SnapshotCache,
  type WaitUntil,
} from '#worker/domains/snapshots/snapshot-cache';
import { Refusal, retryAfter } from '#worker/http/api-error';

export interface Authenticated {
  readonly loaded: LoadedEnvironment;
  readonly key: KeyRecord;
}

const MESSAGES = {
  'key-missing': 'Send an API key in the header Authorization: Bearer tsr_…',
  'key-malformed': 'The API key is mistyped or incomplete',
  'key-unknown': 'The API key is unknown or was revoked',
} as const;

const MAX_HEADERS = 1_000;
/** Environment ids by parsed Authorization header. */
const environmentByHeader = new BoundedCache<string, string>(MAX_HEADERS / 2);

/** Synchronous. Undefined if the header is new to this isolate or the snapshot is not fresh; then call authenticateKey. */
export function getCachedKey(
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

/** @throws {ApiError} unauthenticated; unavailable if no source can load the environment */
export async function authenticateKey(
  cache: SnapshotCache,
  authorization: string | null,
  place: Place,
  timings: { snapshotMs: number; isCold: boolean },
  waitUntil: WaitUntil,
): Promise<Authenticated> {
  if (authorization === null || !/^bearer /i.test(authorization)) throw refusal('key-missing');
  const text = authorization.slice('bearer '.length).trim();
  const parsed = parseApiKey(text);
  if (!parsed.ok) throw refusal('key-malformed');

  const startedAt = performance.now();
  timings.isCold = !cache.has(parsed.environmentId);
  let loaded: LoadedEnvironment | null;
  try {
    const found = cache.get(parsed.environmentId, place, waitUntil, parsed.home);
    loaded = await (timings.isCold ? inTime(systemClock, CALL_MS, 'The environment', found) : found);
  } catch (error) {
    if (error instanceof LookupLimitError) {
      throw new Refusal(
        'rate-limited',
        'too-many-unknown-keys',
        'Too many requests with unknown API keys. Try again in a second.',
        retryAfter(1),
      );
    }
    throw new Refusal(
      'unavailable',
      'environment-unavailable',
      'The environment could not be loaded. Try again in a moment.',
      retryAfter(1),
    );
  }
  timings.snapshotMs = performance.now() - startedAt;
  if (loaded === null) throw refusal('key-unknown');
  const hash = await sha256Hex(text);
  let key = loaded.keyByHash.get(hash);
  if (key === undefined) {
    loaded = await cache.getNewer(parsed.environmentId, place, waitUntil, (newer) =>
      newer.keyByHash.has(hash),
    );
    key = loaded?.keyByHash.get(hash);
  }
  if (loaded === null || key === undefined || key.type !== parsed.type) throw refusal('key-unknown');
  loaded.keyByHeader.set(authorization, key);
  environmentByHeader.set(authorization, parsed.environmentId);
  return { loaded, key };
}

function refusal(reason: keyof typeof MESSAGES): Refusal {
  return new Refusal('unauthenticated', reason, MESSAGES[reason], {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
