/**
 * Upgrades a watch session's WebSocket and hands it to the organisation's event stream. A cookie authorises it, so the page
 * must be the console's own: browsers let any page open a socket with cookies.
 */
import type { Watch } from '#contracts/internal/watch';
import { closeWatches, openWatch } from '#worker/domains/events/instruct-stream';
import { readSessionToken } from '#worker/domains/sessions/read-session-token';
import { storedFormsOf } from '#worker/domains/sessions/session-token-hash';
import { invalidRequest, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { ensureOwnOrigin } from '#worker/http/same-origin';
import { findUsableWatch } from './watch-store.ts';

/** @throws {ApiError} forbidden for another origin; not-found for anything but the caller's own session; invalid-request without an upgrade */
export async function connectWatch(
  ctx: RequestContext,
  scope: MemberScope,
  watchSessionId: string,
): Promise<Response> {
  ensureOwnOrigin(ctx.request, ctx.settings);
  const stored = await storedFormsOf((await readSessionToken(ctx.request, ctx.settings)) ?? '');
  const find = () => findUsableWatch(ctx.db, scope, watchSessionId, stored, ctx.clock());
  const row = await find();
  if (row === null) throw notFound('The watch session');
  if (ctx.request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    throw invalidRequest([{ path: '', message: 'Connect to this URL with a WebSocket' }]);
  }

  const watch: Watch = { id: row.id, environment: row.environmentId, integrationId: row.integrationId };
  const response = await openWatch(ctx, scope, watch);
  // If access was lost between the check and the upgrade, there was no socket to close yet.
  ctx.waitUntil(
    (async () => {
      if ((await find()) === null) await closeWatches(ctx, scope, [row.id]);
    })(),
  );
  return response;
}
