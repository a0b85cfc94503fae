/** An organisation is never without an owner: the condition that every removal and demotion carries. */
import { type SQL, sql } from 'drizzle-orm';
import { member } from '#worker/db/schema/organisations';
import { type ApiError, invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { findMember } from './team-store.ts';

/** True in SQL where the member is no owner, or another owner stays. */
export const leavesAnOwner: SQL = sql`(${member.role} <> 'owner' or exists (select 1 from ${member} as other
  where other.organization_id = ${member.organizationId} and other.role = 'owner' and other.id <> ${member.id}))`;

/** Why a conditional change of this member changed nothing. */
export async function soleOwnerStays(ctx: RequestContext, scope: Scope, memberId: string): Promise<ApiError> {
  const now = await findMember(ctx.db, scope, memberId);
  if (now?.role !== 'owner') return notFound('The member');
  return invalidField('memberId', 'An organisation needs an owner: make somebody else an owner first');
}
