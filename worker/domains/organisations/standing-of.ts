/**
 * What the caller is in an organisation, from the session cookie and the organisation's id in one query. Only this
 * decides; a session's idea of an active organisation is never asked.
 */
import { and, eq, gt } from 'drizzle-orm';
import { PERMISSIONS, type Permission, permissionSchema, roleSchema } from '#contracts/permissions';
import { auditRow } from '#worker/db/audit';
import { commit } from '#worker/db/database';
import { session, user } from '#worker/db/schema/auth';
import { member, organization } from '#worker/db/schema/organisations';
import { readSessionToken } from '#worker/domains/auth/read-session-token';
import { ApiError, notFound } from '#worker/http/api-error';
import type { Caller, MemberScope, RequestContext } from '#worker/http/request-context';

export interface Standing {
  readonly caller: Caller;
  readonly scope: MemberScope;
}

/**
 * @throws {ApiError} unauthenticated without a session; not-found for whoever is no member, as for an organisation
 * that does not exist; forbidden without the permission
 */
export async function standingOf(
  ctx: RequestContext,
  orgId: string,
  permission: Permission | undefined,
): Promise<Standing> {
  const row = await findRow(ctx, orgId);
  if (row === null) throw new ApiError('unauthenticated', 'Please sign in');
  const { organisationId, memberRole, ...caller } = row;
  if (organisationId === null || (memberRole === null && !caller.isSudo)) throw notFound('The organisation');

  const role = memberRole === null ? 'sudo' : roleSchema.catch('member').parse(memberRole);
  const ownPermissions = role === 'sudo' ? [] : PERMISSIONS[role];
  const permissions = caller.isSudo ? permissionSchema.options : ownPermissions;
  if (permission !== undefined && !permissions.includes(permission)) {
    throw new ApiError('forbidden', 'You do not have the permission for this in the organisation');
  }
  const isByStaffRight =
    role === 'sudo' || (permission !== undefined && !ownPermissions.includes(permission));
  if (isByStaffRight && ctx.request.method !== 'GET') await recordStaffWrite(ctx, orgId, caller);
  return { caller, scope: { orgId, role, permissions } };
}

async function findRow(ctx: RequestContext, orgId: string) {
  const token = await readSessionToken(ctx.request, ctx.settings);
  if (token === null) return null;
  const [row] = await ctx.db
    .select({
      userId: user.id,
      email: user.email,
      name: user.name,
      isSudo: user.sudo,
      organisationId: organization.id,
      memberRole: member.role,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(organization, eq(organization.id, orgId))
    .leftJoin(member, and(eq(member.organizationId, orgId), eq(member.userId, user.id)))
    .where(and(eq(session.token, token), gt(session.expiresAt, new Date(ctx.now)), eq(user.enabled, true)))
    .limit(1);
  return row ?? null;
}

/** Platform staff may change what is not theirs, but never unseen: the row stands before the change is tried. */
async function recordStaffWrite(ctx: RequestContext, orgId: string, caller: Caller): Promise<void> {
  const detail = { method: ctx.request.method, path: new URL(ctx.request.url).pathname };
  await commit(ctx.db, [auditRow(ctx, { orgId, actorUserId: caller.userId, action: 'sudo.acted', detail })]);
}
