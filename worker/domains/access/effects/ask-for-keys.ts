/**
 * A token whose key id is in no set of its issuers: an issuer may have begun to use a new key. Its address is called behind the answer, once a
 * minute for each integration, so neither does the check wait nor can a caller make more of it.
 */
import { waitUntil } from 'cloudflare:workers';
import type { JwtIssuer } from '#contracts/internal/snapshot';
import { BoundedCache } from '#engine/cache/bounded-cache';
import { MINUTE_MS } from '#engine/durations';
import { log } from '#runtime/log';
import { type Queues, sendMessage } from '#runtime/send-message';
import { readToken } from '#worker/domains/identity/read-token';

/** When an integration's address was last asked for by this isolate. */
const askedAt = new BoundedCache<string, number>(1_000);

/** @param now epoch milliseconds */
export function askForKeys(env: Queues, issuers: readonly JwtIssuer[], token: string, now: number): void {
  const addressed = issuers.filter(({ hasKeyAddress }) => hasKeyAddress);
  if (addressed.length === 0) return;
  const read = readToken(token);
  if (typeof read === 'string' || read.keyId === null) return;
  const { keyId } = read;
  if (issuers.some(({ keys }) => keys.some(({ kid }) => kid === keyId))) return;
  const due = addressed.filter(({ id }) => (askedAt.get(id) ?? 0) <= now - MINUTE_MS).map(({ id }) => id);
  if (due.length === 0) return;
  for (const id of due) askedAt.set(id, now);
  const sent = sendMessage(env, { type: 'jwt.key-unknown', integrationIds: due });
  waitUntil(sent.catch((error: unknown) => log.warn('keys of an issuer could not be asked for', { error })));
}
