/** An owner's consent that platform staff change things in the organisation, its end, and what they may read without it. All are in the audit log. */

import { and, eq, gt, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { SupportAccess } from '#contracts/console/support-access';
import { HOUR_MS } from '#engine/durations';
import { supportAccess } from '#worker/db/schema/organisations';
import { endUnusableWatches } from '#worker/domains/watch-sessions/end-watches';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { getSupportAccess } from './store.ts';

/** Replaces an earlier grant and settles an open request. @throws {ApiError} forbidden unless the caller is an owner */
export async function grantSupportAccess(
  ctx: RequestContext,
  scope: MemberScope,
  hours: number,
): Promise<SupportAccess> {
  ensureOwner(scope);
  const { request } = await getSupportAccess(ctx.db, scope, ctx.now);
  const grant = {
    requestedBy: null,
    requestReason: null,
    requestedAt: null,
    grantedBy: scope.actor.userId,
    grantedAt: ctx.now,
    expiresAt: ctx.now + hours * HOUR_MS,
  };
  await change(ctx, scope, {
    write: [
      ctx.db
        .insert(supportAccess)
        .values({ organizationId: scope.orgId, ...grant })
        .onConflictDoUpdate({ target: supportAccess.organizationId, set: grant }),
    ],
    audit: {
      action: 'support-access.granted',
      targetId: scope.orgId,
      detail: { hours, expiresAt: grant.expiresAt, reason: request?.reason ?? null },
    },
    publish: [],
  });
  return getSupportAccess(ctx.db, scope, ctx.now);
}

/** Applies to the next call. Does nothing without a grant or a request. @throws {ApiError} forbidden unless the caller is an owner */
export async function endSupportAccess(ctx: RequestContext, scope: MemberScope): Promise<void> {
  ensureOwner(scope);
  const isOpen = or(gt(supportAccess.expiresAt, ctx.now), isNotNull(supportAccess.requestedAt));
  await change(ctx, scope, {
    write: [
      ctx.db
        .update(supportAccess)
        .set({ requestedBy: null, requestReason: null, requestedAt: null, expiresAt: null })
        .where(and(eq(supportAccess.organizationId, scope.orgId), isOpen)),
    ],
    audit: { action: 'support-access.ended', targetId: scope.orgId, onlyIf: sql`changes() > 0` },
    publish: [],
  });
  ctx.waitUntil(endUnusableWatches(ctx, { orgId: scope.orgId }));
}

/** Applies to the next call, and ends live views. @throws {ApiError} forbidden unless the caller is an owner */
export async function changeStaffReading(
  ctx: RequestContext,
  scope: MemberScope,
  needsConsent: boolean,
): Promise<SupportAccess> {
  ensureOwner(scope);
  await change(ctx, scope, {
    write: [
      ctx.db
        .insert(supportAccess)
        .values({ organizationId: scope.orgId, needsConsentToRead: needsConsent })
        .onConflictDoUpdate({
          target: supportAccess.organizationId,
          set: { needsConsentToRead: needsConsent },
          setWhere: ne(supportAccess.needsConsentToRead, needsConsent),
        }),
    ],
    audit: {
      action: 'support-access.reading-changed',
      targetId: scope.orgId,
      detail: { needsConsent },
      onlyIf: sql`changes() > 0`,
    },
    publish: [],
  });
  ctx.waitUntil(endUnusableWatches(ctx, { orgId: scope.orgId }));
  return getSupportAccess(ctx.db, scope, ctx.now);
}

/** Platform staff never consent for an organisation that they do not own themselves. */
function ensureOwner({ role }: MemberScope): void {
  if (role !== 'owner') throw new ApiError('forbidden', 'Only owners can do this');
}
