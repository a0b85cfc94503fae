/** Searches users across all tenants, for platform staff. Only the sudo routes may call this. */
import { asc, desc, eq, inArray, or, type SQL } from 'drizzle-orm';
import { SUDO_SEARCH_ROWS, type SudoUser } from '#contracts/console/sudo';
import { containsText, findFolded } from '#worker/db/contains-text';
import type { Db } from '#worker/db/database';
import { user } from '#worker/db/schema/auth';
import { member, organization } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';

/** Newest first. */
export async function searchUsers(db: Db, text: string): Promise<SudoUser[]> {
  if (text === '') return read(db, undefined);
  const { id, name, email } = user;
  const folded = await findFolded(db, {
    table: user,
    columns: [name, email],
    text,
    limit: SUDO_SEARCH_ROWS,
  });
  const contains = [name, email, id].map((column) => containsText(column, text));
  return read(db, or(...contains, inArray(id, folded)));
}

/** @throws {ApiError} not-found */
export async function getSudoUser(db: Db, userId: string): Promise<SudoUser> {
  const [found] = await read(db, eq(user.id, userId));
  if (found === undefined) throw notFound('The user');
  return found;
}

async function read(db: Db, condition: SQL | undefined): Promise<SudoUser[]> {
  const rows = await db
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      emailVerified: user.emailVerified,
      enabled: user.enabled,
      sudo: user.sudo,
      createdAt: user.createdAt,
      updatedAt: user.updatedAt,
    })
    .from(user)
    .where(condition)
    .orderBy(desc(user.createdAt), desc(user.id))
    .limit(SUDO_SEARCH_ROWS);
  const memberships = await readMemberships(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    memberOrganisations: (memberships.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
  }));
}

async function readMemberships(db: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return new Map<string, { id: string; name: string }[]>();
  const rows = await db
    .select({ userId: member.userId, id: organization.id, name: organization.name })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(inArray(member.userId, [...userIds]))
    .orderBy(asc(organization.name), asc(organization.id));
  return Map.groupBy(rows, ({ userId }) => userId);
}
