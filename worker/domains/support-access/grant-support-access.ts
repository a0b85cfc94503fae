/** An owner's consent that platform staff change things in the organisation, and its end. Both are in the audit log. */

import { and, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import type { SupportAccess } from '#contracts/console/support-access';
import { HOUR_MS } from '#engine/durations';
import { auditRow, auditRowIf } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { supportAccess } from '#worker/db/schema/organisations';
import { ApiError } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
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
  await commit(ctx.db, [
    ctx.db
      .insert(supportAccess)
      .values({ organizationId: scope.orgId, ...grant })
      .onConflictDoUpdate({ target: supportAccess.organizationId, set: grant }),
    auditRow(ctx, scope, {
      action: 'support-access.granted',
      targetId: scope.orgId,
      detail: { hours, expiresAt: grant.expiresAt, reason: request?.reason ?? null },
    }),
  ]);
  return getSupportAccess(ctx.db, scope, ctx.now);
}

/** Applies to the next call. Does nothing without a grant or a request. @throws {ApiError} forbidden unless the caller is an owner */
export async function endSupportAccess(ctx: RequestContext, scope: MemberScope): Promise<void> {
  ensureOwner(scope);
  const isOpen = or(gt(supportAccess.expiresAt, ctx.now), isNotNull(supportAccess.requestedAt));
  await commit(ctx.db, [
    ctx.db
      .update(supportAccess)
      .set({ requestedBy: null, requestReason: null, requestedAt: null, expiresAt: null })
      .where(and(eq(supportAccess.organizationId, scope.orgId), isOpen)),
    auditRowIf(ctx, scope, sql`changes() > 0`, { action: 'support-access.ended', targetId: scope.orgId }),
  ]);
}

/** Platform staff never consent for an organisation that they do not own themselves. */
function ensureOwner({ role }: MemberScope): void {
  if (role !== 'owner') throw new ApiError('forbidden', 'Only owners can do this');
}
