/** The condition that keeps at least one owner in every organisation. Every removal and demotion of a member carries it. */
import { type SQL, sql } from 'drizzle-orm';
import { member } from '#worker/db/schema/organisations';
import { type ApiError, invalidField, notFound } from '#worker/http/api-error';
import type { RequestContext, Scope } from '#worker/http/request-context';
import { findMember } from './team-store.ts';

/** SQL condition on `member`: the row is not an owner, or the organisation has another owner. */
export const ownerRemains: SQL = sql`(${member.role} <> 'owner' or exists (select 1 from ${member} as other
  where other.organization_id = ${member.organizationId} and other.role = 'owner' and other.id <> ${member.id}))`;

/** The error for a conditional change of this member that matched no row. */
export async function memberUnchanged(
  ctx: RequestContext,
  scope: Scope,
  memberId: string,
): Promise<ApiError> {
  const found = await findMember(ctx.db, scope, memberId);
  if (found?.role !== 'owner') return notFound('The member');
  return invalidField('memberId', 'An organisation needs an owner. Make someone else an owner first.');
}
