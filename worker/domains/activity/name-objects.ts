/**
 * Names of what audit rows refer to, in one batch however many rows there are. Objects that are gone keep the last name that the log
 * recorded of them.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { ActivityActor, ActivityNames } from '#contracts/console/activity';
import type { Db } from '#worker/db/database';
import { artifact } from '#worker/db/schema/artifacts';
import { user } from '#worker/db/schema/auth';
import { apiKey, environment } from '#worker/db/schema/environments';
import { feature, featureProperty } from '#worker/db/schema/features';
import { jwtIntegration } from '#worker/db/schema/integrations';
import { auditLog } from '#worker/db/schema/operations';
import { invitation, member } from '#worker/db/schema/organisations';
import { plan } from '#worker/db/schema/plans';
import { stripeIntegration, stripeProduct } from '#worker/db/schema/stripe';
import { webhook } from '#worker/db/schema/webhooks';
import { workflow } from '#worker/db/schema/workflows';
import { nameCustomers } from '#worker/domains/customers/names/name-customers';
import type { Scope } from '#worker/http/request-context';

type AuditRow = typeof auditLog.$inferSelect;

type OwnTable = SQLiteTable & { readonly id: SQLiteColumn; readonly orgId: SQLiteColumn };

/** Fields of `detail` that are ids of objects. */
const REFERENCES = ['planId', 'propertyId', 'environmentId', 'featureId', 'workflowId', 'fromArtifactId'];

/** @param rows of one page */
export async function nameObjects(db: Db, scope: Scope, rows: readonly AuditRow[]): Promise<ActivityNames> {
  const { orgId } = scope;
  if (rows.length === 0) return {};
  const customers = rows.flatMap(({ kind, targetId }) => (kind === 'customer' ? (targetId ?? []) : []));
  const objects = rows.flatMap(({ kind, targetId, actorKey, detail }) => [
    kind === 'customer' ? null : targetId,
    actorKey?.id,
    ...REFERENCES.map((field) => detail?.[field]),
    ...changedFields(detail?.changes),
  ]);
  const ids = new Set(objects.filter((id) => typeof id === 'string'));
  const products = rows.flatMap(({ detail }) => [
    ...productIds(detail?.added),
    ...productIds(detail?.removed),
  ]);
  /** Those of the organisation with these ids. */
  const own = (org: SQLiteColumn, id: SQLiteColumn, wanted = ids) =>
    and(eq(org, orgId), sql`${id} IN (SELECT value FROM json_each(${JSON.stringify([...wanted])}))`);
  const named = (table: OwnTable, name: SQL | SQLiteColumn, wanted = ids) =>
    db
      .select({ id: sql<string>`${table.id}`, name: sql<string | null>`${name}` })
      .from(table)
      .where(own(table.orgId, table.id, wanted));
  const [customerNames, found] = await Promise.all([
    nameCustomers(db, scope, customers),
    db.batch([
      db
        .select({ id: sql<string>`value`, name: lastName(orgId) })
        .from(sql`json_each(${JSON.stringify([...ids])})`),
      named(plan, plan.name),
      named(feature, feature.name),
      db
        .select({
          id: featureProperty.id,
          name: sql<string>`${feature.slug} || '.' || ${featureProperty.propertyKey}`,
        })
        .from(featureProperty)
        .innerJoin(feature, eq(feature.id, featureProperty.featureId))
        .where(own(featureProperty.orgId, featureProperty.id)),
      named(workflow, workflow.name),
      named(environment, environment.name),
      named(apiKey, sql`coalesce(nullif(${apiKey.name}, ''), ${apiKey.maskedValue})`),
      named(artifact, sql`'v' || ${artifact.number}`),
      named(jwtIntegration, jwtIntegration.name),
      named(stripeIntegration, stripeIntegration.name),
      named(webhook, webhook.url),
      db
        .select({ id: member.id, name: user.name })
        .from(member)
        .innerJoin(user, eq(user.id, member.userId))
        .where(own(member.organizationId, member.id)),
      db
        .select({ id: invitation.id, name: invitation.email })
        .from(invitation)
        .where(own(invitation.organizationId, invitation.id)),
      named(stripeProduct, stripeProduct.name, new Set(products)),
    ]),
  ]);
  const names = found.flat().flatMap(({ id, name }) => (name === null ? [] : [[id, name]]));
  return { ...customerNames, ...Object.fromEntries(names) };
}

/** The newest name in the log of the object whose id is `value`: its deletion's, as a rule. */
function lastName(orgId: string): SQL<string | null> {
  const said = sql`CASE ${auditLog.action}
    WHEN 'version.deleted' THEN 'v' || (${auditLog.detail} ->> 'number')
    WHEN 'property.deleted' THEN ${auditLog.detail} ->> 'key' WHEN 'property.created' THEN ${auditLog.detail} ->> 'key'
    WHEN 'property.changed' THEN ${auditLog.detail} ->> 'key'
    ELSE coalesce(nullif(${auditLog.detail} ->> 'name', ''), ${auditLog.detail} ->> 'email', ${auditLog.detail} ->> 'masked') END`;
  return sql`(SELECT ${said} FROM ${auditLog} WHERE ${auditLog.orgId} = ${orgId} AND ${auditLog.targetId} = value
    AND ${said} IS NOT NULL ORDER BY ${auditLog.at} DESC, ${auditLog.id} DESC LIMIT 1)`;
}

/** Of plans' values these are ids of properties. */
function changedFields(changes: unknown): unknown[] {
  return Array.isArray(changes) ? changes.map((change: unknown) => Object(change).field) : [];
}

/** A change of a plan's products lists each as a row of its id and others. */
function productIds(links: unknown): string[] {
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: unknown) =>
    Array.isArray(link) && typeof link[1] === 'string' ? [link[1]] : [],
  );
}

/** The users among the authors. One who is no member is platform staff, or a former member. */
export async function nameActors(
  db: Db,
  { orgId }: Scope,
  rows: readonly AuditRow[],
): Promise<ReadonlyMap<string, ActivityActor>> {
  const ids = new Set(rows.flatMap(({ actorUserId }) => actorUserId ?? []));
  const found = await db
    .select({ id: user.id, name: user.name, email: user.email, isStaff: user.sudo, memberId: member.id })
    .from(user)
    .leftJoin(member, and(eq(member.organizationId, orgId), eq(member.userId, user.id)))
    .where(sql`${user.id} IN (SELECT value FROM json_each(${JSON.stringify([...ids])}))`);
  return new Map(
    found.map(({ id, name, email, isStaff, memberId }) => [
      id,
      { kind: isStaff && memberId === null ? 'support' : 'member', id, name, email },
    ]),
  );
}
