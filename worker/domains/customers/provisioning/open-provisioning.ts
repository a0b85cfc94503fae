/** Opens a call about customers: its context, and the key as the author of changes, as its row in D1 says now. */
import { and, eq } from 'drizzle-orm';
import type { ActingKey } from '#contracts/console/api-keys';
import { apiKey } from '#worker/db/schema/environments';
import type { PublicCall } from '#worker/domains/access/calls/public-call';
import type { LoadedEnvironment } from '#worker/domains/snapshots/snapshot-cache';
import { Refusal } from '#worker/http/api-error';
import { workContext } from '#worker/http/make-work-context';
import type { CustomerScope, RequestContext } from '#worker/http/request-context';
import { inCallTime } from './in-call-time.ts';

export interface Provisioning {
  readonly ctx: RequestContext;
  readonly scope: CustomerScope & { readonly actor: { readonly key: ActingKey } };
  /** The key's environment, the only one that its calls read and change. */
  readonly loaded: LoadedEnvironment;
  readonly environmentId: string;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

export function contextOf({ env, request, requestId, startedAt, place }: PublicCall): RequestContext {
  return { ...workContext(env, () => startedAt), clock: Date.now, request, requestId, place };
}

/**
 * Replicas may be late, so the row decides: a key that was revoked changes nothing from then on.
 * @param ms that the call may take
 * @throws {ApiError} unauthenticated, forbidden, unavailable
 */
export async function openProvisioning(call: PublicCall, ms: number): Promise<Provisioning> {
  const ctx = contextOf(call);
  const { loaded, key } = call.authenticated;
  const { orgId, environmentId } = loaded.snapshot;
  const { name, maskedValue, managesCustomers } = apiKey;
  const endsAt = call.startedAt + ms;
  const [row] = await inCallTime(endsAt, async () =>
    ctx.db
      .select({ name, maskedValue, managesCustomers })
      .from(apiKey)
      .where(and(eq(apiKey.id, key.id), eq(apiKey.orgId, orgId), eq(apiKey.environmentId, environmentId))),
  );
  if (row === undefined) throw new Refusal('unauthenticated', 'key-revoked', 'The API key was revoked');
  if (!row.managesCustomers)
    throw new Refusal('forbidden', 'managing-key-required', 'The key may not change customers');
  const actor = { key: { id: key.id, name: row.name ?? `…${row.maskedValue.slice(-4)}` } };
  return { ctx, scope: { orgId, actor }, loaded, environmentId, endsAt };
}
