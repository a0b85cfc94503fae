/** Reads organisations in the shape of the API, and builds the statements that change them. */
import { eq, sql } from 'drizzle-orm';
import type { Organisation } from '#contracts/console/organisations';
import type { Permission } from '#contracts/public/endpoint';
import { LOCATIONS, type Location, type LocationFlags } from '#contracts/public/locations';
import type { Db, Statement } from '#worker/db/database';
import { member, organization } from '#worker/db/schema/organisations';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type OrganisationRow = typeof organization.$inferSelect;
export type OrganisationChange = Partial<
  Pick<
    OrganisationRow,
    'name' | 'description' | 'quickstartStatus' | 'quickstartIdIntegrationSkipped' | 'dataLocations' | 'zone'
  >
>;

/** @throws {ApiError} not-found */
export async function getOrganisation(db: Db, scope: Scope): Promise<OrganisationRow> {
  const [row] = await db.select().from(organization).where(eq(organization.id, scope.orgId)).limit(1);
  if (row === undefined) throw notFound('The organisation');
  return row;
}

export async function listOrganisationsOf(db: Db, userId: string) {
  return db
    .select({ id: organization.id, name: organization.name, role: member.role })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(member.userId, userId))
    .orderBy(organization.createdAt, organization.id);
}

/** `updatedAt` rises with every change, also within one millisecond. A finished quick start stays finished. */
export function changeOrganisation(
  db: Db,
  scope: Scope,
  { quickstartStatus, ...change }: OrganisationChange,
  now: number,
): Statement {
  const finalStatus = sql`CASE ${organization.quickstartStatus} WHEN 'finished' THEN 'finished' ELSE ${quickstartStatus} END`;
  return db
    .update(organization)
    .set({
      ...change,
      ...(quickstartStatus !== undefined && { quickstartStatus: finalStatus }),
      updatedAt: sql`max(${now}, ${organization.updatedAt} + 1)`,
    })
    .where(eq(organization.id, scope.orgId));
}

export function toOrganisation(row: OrganisationRow, userPermissions: readonly Permission[]): Organisation {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    quickstartStatus: row.quickstartStatus,
    quickstartIdIntegrationSkipped: row.quickstartIdIntegrationSkipped,
    dataLocations: toFlags(row.dataLocations),
    zone: row.zone,
    userPermissions: [...userPermissions],
    plan: row.plan,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt,
  };
}

export function toFlags(enabled: readonly Location[]): LocationFlags {
  return Object.fromEntries(
    LOCATIONS.map((location) => [location, enabled.includes(location)]),
  ) as LocationFlags;
}
