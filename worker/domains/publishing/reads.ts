/** Reads an organisation's workspace, all of it at one instant. */
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Workspace } from '#engine/artifacts/compile-artifact';
import type { Db } from '#worker/db/database';
import { feature, featureProperty } from '#worker/db/schema/features';
import { organization } from '#worker/db/schema/organisations';
import { plan, planVersion } from '#worker/db/schema/plans';
import { workflow } from '#worker/db/schema/workflows';
import { selectPlanProducts } from '#worker/db/select-plan-products';
import type { Scope } from '#worker/http/request-context';

export interface WorkspaceState {
  readonly workspace: Workspace;
  /** The revision that the workspace was read at. */
  readonly revision: number;
  /** The revision that the head artifact was built from. */
  readonly headRevision: number;
  readonly headArtifactId: string | null;
}

/** One batch is one transaction: rows and revision belong together. @returns null without such an organisation */
export async function readWorkspace(db: Db, { orgId }: Scope): Promise<WorkspaceState | null> {
  const [organisations, features, properties, plans, versions, planProducts, workflows] = await db.batch([
    db
      .select({
        revision: organization.workspaceRevision,
        headRevision: organization.headRevision,
        headArtifactId: organization.headArtifactId,
        limitOrder: organization.limitOrder,
        zone: organization.zone,
      })
      .from(organization)
      .where(eq(organization.id, orgId)),
    db.select().from(feature).where(eq(feature.orgId, orgId)),
    db
      .select()
      .from(featureProperty)
      .where(eq(featureProperty.orgId, orgId))
      .orderBy(asc(featureProperty.id)),
    db.select().from(plan).where(eq(plan.orgId, orgId)),
    db
      .select({ planId: planVersion.planId, properties: planVersion.properties })
      .from(planVersion)
      .innerJoin(plan, and(eq(plan.id, planVersion.planId), eq(plan.currentVersion, planVersion.version)))
      .where(eq(planVersion.orgId, orgId)),
    selectPlanProducts(db, orgId),
    db
      .select({
        id: workflow.id,
        name: workflow.name,
        type: workflow.type,
        featureId: workflow.featureId,
        enabled: workflow.enabled,
        source: workflow.compiledSource,
        compiled: workflow.compiled,
      })
      .from(workflow)
      .where(and(eq(workflow.orgId, orgId), eq(workflow.enabled, true), isNotNull(workflow.compiled))),
  ]);
  const [organisation] = organisations;
  if (organisation === undefined) return null;
  const { limitOrder, zone, ...state } = organisation;
  return {
    ...state,
    workspace: {
      limitOrder,
      zone,
      features,
      properties: properties.map(({ propertyKey, ...row }) => ({ ...row, key: propertyKey })),
      plans,
      planValues: versions.flatMap(({ planId, properties }) =>
        Object.entries(properties).flatMap(([featureId, values]) =>
          values.map(({ id, value }) => ({ planId, featureId, propertyId: id, value })),
        ),
      ),
      planProducts,
      workflows,
    },
  };
}
