/** The version that each environment runs, and whether it has arrived in every data location. */
import { and, asc, eq } from 'drizzle-orm';
import type { DeploymentStatus, EnvironmentStatus, WorkspaceSize } from '#contracts/console/artifacts';
import { inLocationOrder } from '#engine/regions/data-locations';
import type { Db } from '#worker/db/database';
import { liveEnvironment } from '#worker/db/live-environments';
import { artifact } from '#worker/db/schema/artifacts';
import { environment, replicaAcknowledgement } from '#worker/db/schema/environments';
import { organization } from '#worker/db/schema/organisations';
import type { Scope } from '#worker/http/request-context';

const NO_WORKSPACE: WorkspaceSize = { features: 0, plans: 0, workflows: 0 };

export async function readDeploymentStatus(
  db: Db,
  { orgId }: Scope,
  filter: { readonly previewOnly?: boolean; readonly environmentId?: string } = {},
): Promise<DeploymentStatus> {
  const isWanted = and(
    liveEnvironment(orgId, filter.environmentId),
    filter.previewOnly ? eq(environment.type, 'preview') : undefined,
  );
  const [organisations, environments, acknowledgements] = await db.batch([
    db.select().from(organization).where(eq(organization.id, orgId)),
    db
      .select({ environment, number: artifact.number })
      .from(environment)
      .leftJoin(artifact, eq(artifact.id, environment.artifactId))
      .where(isWanted)
      .orderBy(asc(environment.createdAt), asc(environment.id)),
    db
      .select({ row: replicaAcknowledgement })
      .from(replicaAcknowledgement)
      .innerJoin(environment, eq(environment.id, replicaAcknowledgement.environmentId))
      .where(isWanted),
  ]);
  const [organisation] = organisations;
  if (organisation === undefined)
    return { environments: [], currentVersion: null, workspaceSize: NO_WORKSPACE };

  const enabled = inLocationOrder(organisation.dataLocations);
  const known = new Map(acknowledgements.map(({ row }) => [`${row.environmentId} ${row.location}`, row]));
  const isHeadCurrent = organisation.headRevision >= organisation.workspaceRevision;
  return {
    currentVersion: organisation.headArtifactId,
    workspaceSize: organisation.workspaceSize,
    environments: environments.map(({ environment: row, number }) => {
      const locations = enabled.map((location) => {
        const acknowledgement = known.get(`${row.id} ${location}`);
        const isUpToDate = (acknowledgement?.generation ?? -1) >= row.deployGeneration;
        const failedAt = acknowledgement?.failedAt ?? null;
        // A failure from before this deployment says nothing about it.
        const hasFailed = !isUpToDate && failedAt !== null && failedAt >= (row.lastDeployedAt ?? 0);
        return { location, isUpToDate, failedAt: hasFailed ? failedAt : null };
      });
      return {
        environmentId: row.id,
        environmentName: row.name,
        environmentType: row.type === 'preview' ? 'preview' : 'deployable',
        isLive: row.type === 'live',
        artifactId: row.artifactId,
        artifactNumber: number,
        previousArtifactId: row.previousArtifactId,
        isHead: isHeadCurrent && row.artifactId !== null && row.artifactId === organisation.headArtifactId,
        deployInProgress: row.artifactId !== null && locations.some(({ isUpToDate }) => !isUpToDate),
        lastDeployedAt: row.lastDeployedAt,
        lastDeployedByUserId: row.lastDeployedByUserId,
        headArtifactId: organisation.headArtifactId,
        locations,
      };
    }),
  };
}

export async function findEnvironmentStatus(
  db: Db,
  scope: Scope,
  environmentId: string,
): Promise<EnvironmentStatus | null> {
  const { environments } = await readDeploymentStatus(db, scope, { environmentId });
  return environments[0] ?? null;
}
