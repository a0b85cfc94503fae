/** Starts watching: stores who watches what. The session is bound to the caller's sign-in session. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { WatchFilter, WatchSession } from '#contracts/console/watch-sessions';
import { DAY_MS } from '#engine/durations';
import { environmentExists } from '#worker/db/live-environments';
import { session } from '#worker/db/schema/auth';
import { stripeIntegration } from '#worker/db/schema/stripe';
import { watchSession } from '#worker/db/schema/watch-sessions';
import { readSessionToken } from '#worker/domains/sessions/read-session-token';
import { storedFormsOf } from '#worker/domains/sessions/session-token-hash';
import { ApiError, invalidField } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { endWatches } from './end-watches.ts';
import { listOlderWatches } from './watch-store.ts';

const LIFETIME_MS = 7 * DAY_MS;
/** A user's sessions in one organisation. Reloading a page starts another one; the oldest makes room. */
const MAX_PER_USER = 50;

/** @throws {ApiError} invalid-request naming environment or integrationId */
export async function createWatchSession(
  ctx: RequestContext,
  scope: MemberScope,
  { environment, integrationId }: WatchFilter,
): Promise<WatchSession> {
  const { db, now } = ctx;
  const { orgId, actor } = scope;
  const token = await readSessionToken(ctx.request, ctx.settings);
  const [signIn] = await db
    .select({
      id: session.id,
      hasEnvironment: environment === null ? sql`1` : environmentExists(orgId, environment),
      hasIntegration: integrationId === null ? sql`1` : integrationExists(orgId, integrationId),
    })
    .from(session)
    .where(inArray(session.token, await storedFormsOf(token ?? '')));
  if (signIn === undefined) throw new ApiError('unauthenticated', 'Please sign in');
  if (!signIn.hasEnvironment) throw invalidField('environment', 'The environment could not be found');
  if (!signIn.hasIntegration) throw invalidField('integrationId', 'The integration could not be found');

  const watch = { id: ctx.newId('watch'), integrationId, createdAt: now, expiresAt: now + LIFETIME_MS };
  await db.insert(watchSession).values({
    ...watch,
    orgId,
    userId: actor.userId,
    sessionId: signIn.id,
    environmentId: environment,
  });
  await endWatches(ctx, await listOlderWatches(db, scope, actor.userId, MAX_PER_USER));
  return { ...watch, environment };
}

function integrationExists(orgId: string, id: string) {
  const isIt = and(eq(stripeIntegration.id, id), eq(stripeIntegration.orgId, orgId));
  return sql`EXISTS (SELECT 1 FROM ${stripeIntegration} WHERE ${isIt} AND ${stripeIntegration.deletedAt} IS NULL)`;
}
