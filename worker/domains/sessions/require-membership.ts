/**
 * Resolves the caller's membership of an organisation from the session cookie and the organisation's id, in one query.
 * Every call to an organisation is authorised here; the session stores no current organisation.
 */
import { and, eq } from 'drizzle-orm';
import { PERMISSIONS, roleSchema } from '#contracts/console/permissions';
import type { Endpoint, Permission } from '#contracts/public/endpoint';
import { session, user } from '#worker/db/schema/auth';
import { member, organization, supportAccess } from '#worker/db/schema/organisations';
import { ApiError, notFound } from '#worker/http/api-error';
import type { MemberScope, RequestContext } from '#worker/http/request-context';
import { change } from '#worker/queue/change';
import { readSessionToken } from './read-session-token.ts';
import { recordStaffRead } from './record-staff-read.ts';
import { callerColumns, isActiveSession } from './require-caller.ts';
import { storedFormsOf } from './session-token-hash.ts';

/** What consent lets staff do. It does not include the team: a membership or an invitation would outlive the consent. */
const SUPPORT_PERMISSIONS: readonly Permission[] = ['org:edit'];
const NEEDS_CONSENT = 'An owner of the organisation must grant support access first';
const NEEDS_CONSENT_TO_READ =
  'This organisation shows its customers and events to support only while an owner grants support access';

/**
 * Platform staff may read every organisation, customers and events only if its owners do not require consent for that. What they may change
 * beyond their own membership always needs an owner's consent: support access, which expires. Reading leaves an audit row an hour.
 *
 * @throws {ApiError} unauthenticated without a session; not-found for callers who are not members, as for an
 * organisation that does not exist; forbidden without the permission or consent
 */
export async function requireMembership(
  ctx: RequestContext,
  orgId: string,
  { permission, showsCustomers }: Omit<Extract<Endpoint['guard'], { kind: 'member' }>, 'kind'>,
): Promise<MemberScope> {
  const row = await findRow(ctx, orgId);
  if (row === null) throw new ApiError('unauthenticated', 'Please sign in');
  const { organisationId, memberRole, consentUntil, needsConsentToRead, ...actor } = row;
  if (organisationId === null || (memberRole === null && !actor.isSudo)) throw notFound('The organisation');

  const role = memberRole === null ? 'sudo' : roleSchema.catch('member').parse(memberRole);
  const ownPermissions = role === 'sudo' ? [] : PERMISSIONS[role];
  const hasConsent = actor.isSudo && consentUntil !== null && consentUntil > ctx.now;
  const permissions = hasConsent ? [...new Set([...ownPermissions, ...SUPPORT_PERMISSIONS])] : ownPermissions;
  const isWrite = ctx.request.method !== 'GET';
  const mayReadCustomers = role !== 'sudo' || hasConsent || needsConsentToRead !== true;
  if (role === 'sudo' && isWrite && !hasConsent) throw new ApiError('forbidden', NEEDS_CONSENT);
  if (showsCustomers && !mayReadCustomers) throw new ApiError('forbidden', NEEDS_CONSENT_TO_READ);
  if (permission !== undefined && !permissions.includes(permission)) {
    throw new ApiError(
      'forbidden',
      'Your role does not allow this. Ask an owner or admin of the organisation.',
    );
  }
  const scope: MemberScope = { orgId, actor, role, permissions, mayReadCustomers };
  const needsStaffRight =
    role === 'sudo' || (permission !== undefined && !ownPermissions.includes(permission));
  if (needsStaffRight && isWrite) await recordStaffWrite(ctx, scope);
  if (role === 'sudo' && !isWrite) await recordStaffRead(ctx, scope);
  return scope;
}

async function findRow(ctx: RequestContext, orgId: string) {
  const token = await readSessionToken(ctx.request, ctx.settings);
  if (token === null) return null;
  const [row] = await ctx.db
    .select({
      ...callerColumns,
      organisationId: organization.id,
      memberRole: member.role,
      consentUntil: supportAccess.expiresAt,
      needsConsentToRead: supportAccess.needsConsentToRead,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(organization, eq(organization.id, orgId))
    .leftJoin(member, and(eq(member.organizationId, orgId), eq(member.userId, user.id)))
    .leftJoin(supportAccess, eq(supportAccess.organizationId, orgId))
    .where(isActiveSession(await storedFormsOf(token), ctx.now))
    .limit(1);
  return row ?? null;
}

/** The audit row of a change by platform staff is committed before the change is tried. */
async function recordStaffWrite(ctx: RequestContext, scope: MemberScope): Promise<void> {
  const detail = { method: ctx.request.method, path: new URL(ctx.request.url).pathname };
  await change(ctx, scope, { write: [], audit: { action: 'sudo.acted', detail }, publish: [] });
}
