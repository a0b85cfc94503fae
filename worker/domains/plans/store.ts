/** Reads plans and plan versions, in the shapes of the API. */
import { and, asc, eq } from 'drizzle-orm';
import type { Plan, PlanVersion, ProductMapping } from '#contracts/console/plans';
import type { Db } from '#worker/db/database';
import { plan, planVersion } from '#worker/db/schema/plans';
import { selectPlanProducts } from '#worker/db/select-plan-products';
import { notFound } from '#worker/http/api-error';
import type { Scope } from '#worker/http/request-context';

export type PlanRow = typeof plan.$inferSelect;
export type PlanVersionRow = typeof planVersion.$inferSelect;

/** Oldest first. */
export async function listPlans(db: Db, { orgId }: Scope): Promise<Plan[]> {
  const [rows, links] = await db.batch([
    db.select().from(plan).where(eq(plan.orgId, orgId)).orderBy(asc(plan.createdAt), asc(plan.id)),
    selectPlanProducts(db, orgId),
  ]);
  const linksOf = Map.groupBy(links, ({ planId }) => planId);
  return rows.map((row) => asPlan(row, linksOf.get(row.id)));
}

/** @throws {ApiError} not-found */
export async function getPlan(db: Db, { orgId }: Scope, planId: string): Promise<Plan> {
  const [[row], links] = await db.batch([
    db
      .select()
      .from(plan)
      .where(and(eq(plan.id, planId), eq(plan.orgId, orgId))),
    selectPlanProducts(db, orgId, planId),
  ]);
  if (row === undefined) throw notFound('The plan');
  return asPlan(row, links);
}

/**
 * Reads any version, not only the current one.
 * @throws {ApiError} not-found
 */
export async function getPlanVersion(
  db: Db,
  { orgId }: Scope,
  planId: string,
  version: number | null,
): Promise<PlanVersion> {
  const [row] = await db
    .select({ version: planVersion, currentVersion: plan.currentVersion })
    .from(plan)
    .innerJoin(planVersion, eq(planVersion.planId, plan.id))
    .where(and(eq(plan.id, planId), eq(plan.orgId, orgId), eq(planVersion.version, version ?? 0)));
  if (row === undefined) throw notFound('The version of the plan');
  return asPlanVersion(row.version, row.currentVersion);
}

/** Parses a version number from a path. Versions count from 1; null for anything else. */
export function readVersionNumber(text: string): number | null {
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null;
}

function asMapping({ integrationId, productId, priceId, priceName, timesQuantity }: ProductMapping) {
  return {
    integrationId,
    productId,
    ...(priceId ? { priceId, priceName } : {}),
    ...(timesQuantity ? { timesQuantity } : {}),
  };
}

export function asPlan(row: PlanRow, products: readonly ProductMapping[] = []): Plan {
  return {
    planId: row.id,
    name: row.name,
    planSlug: row.slug,
    description: row.description,
    grantToAnonymousSessions: row.grantToAnonymousSessions,
    grantToAuthenticatedUsers: row.grantToAuthenticatedUsers,
    isAddOn: row.isAddOn,
    isPublic: row.isPublic,
    currentVersion: row.currentVersion,
    grantProductMappings: products.map(asMapping),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export function asPlanVersion(row: PlanVersionRow, currentVersion: number): PlanVersion {
  return {
    planId: row.planId,
    version: row.version,
    currentVersion,
    properties: row.properties,
    createdAt: row.createdAt,
    createdByUserId: row.createdByUserId,
  };
}
