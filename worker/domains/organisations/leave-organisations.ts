/**
 * Ends every membership of a user before the account is deleted, each with its audit row. Refused while an organisation
 * would be left without an owner, unless its deletion is scheduled.
 */
import { eq, sql } from 'drizzle-orm';
import { type AuditContext, auditRow } from '#worker/db/audit';
import { commit, type Db } from '#worker/db/database';
import { organisationDeletion } from '#worker/db/schema/organisation-deletions';
import { member, organization } from '#worker/db/schema/organisations';
import { cancelInvitationsOf } from './cancel-invitations-of.ts';
import { ownerRemains } from './ensure-owner-remains.ts';

const isEnding = eq(organisationDeletion.orgId, member.organizationId);
/** SQL condition on `member`: the user may leave. Nobody can cancel a deletion once the last owner has left. */
const mayLeave = sql`(${ownerRemains} or exists (select 1 from ${organisationDeletion} where ${isEnding}))`;

/** @returns the name of an organisation that the user alone owns, and has not left; null when all is done */
export async function leaveOrganisations(ctx: AuditContext, userId: string): Promise<string | null> {
  const memberships = await listMemberships(ctx.db, userId);
  const orphan = memberships.find((each) => !each.mayLeave);
  if (orphan !== undefined) return orphan.organisationName;
  await commit(
    ctx.db,
    memberships.flatMap(({ id, orgId, role }) => [
      ctx.db.delete(member).where(sql`${member.id} = ${id} and ${mayLeave}`),
      auditRow(
        ctx,
        { orgId, actor: { userId } },
        {
          action: 'member.left',
          targetId: id,
          detail: { userId, role },
          onlyIf: sql`changes() > 0`,
        },
      ),
      ...cancelInvitationsOf(ctx, { orgId, actor: { userId } }, userId),
    ]),
  );
  const [left] = await listMemberships(ctx.db, userId);
  return left?.organisationName ?? null;
}

function listMemberships(db: Db, userId: string) {
  return db
    .select({
      id: member.id,
      orgId: member.organizationId,
      role: member.role,
      organisationName: organization.name,
      mayLeave: sql<number>`${mayLeave}`.mapWith(Boolean),
    })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, userId));
}
