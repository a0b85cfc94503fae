/** Versions, diffs and deployments over HTTP. */
import { artifactEndpoints, deploymentEndpoints } from '#contracts/console/artifacts';
import { nameEndpoints } from '#contracts/console/names';
import { notFound } from '#worker/http/api-error';
import { type Route, route } from '#worker/http/route';
import { listVersions } from './artifact-store.ts';
import { compareVersions, compareWithWorkspace } from './compare-versions.ts';
import { deleteVersion } from './delete-version.ts';
import { deployVersion } from './deploy-version.ts';
import { findEnvironmentStatus, readDeploymentStatus } from './deployment-status.ts';
import { exportVersion } from './export-version.ts';
import { findLostNames } from './find-lost-names.ts';
import { findUses } from './find-uses.ts';
import { freezeVersion } from './freeze-version.ts';

export const artifactRoutes: readonly Route[] = [
  route(artifactEndpoints.list, ({ ctx, scope }) => listVersions(ctx.db, scope)),
  route(artifactEndpoints.lastDiff, ({ ctx, scope }) => compareWithWorkspace(ctx, scope)),
  route(artifactEndpoints.diff, ({ ctx, scope, query }) => compareVersions(ctx, scope, query)),
  route(artifactEndpoints.exportJson, ({ ctx, scope, params }) =>
    exportVersion(ctx, scope, params.artifactId, 'json'),
  ),
  route(artifactEndpoints.exportTypes, ({ ctx, scope, params }) =>
    exportVersion(ctx, scope, params.artifactId, 'types'),
  ),
  route(nameEndpoints.lost, ({ ctx, scope }) => findLostNames(ctx, scope)),
  route(nameEndpoints.uses, ({ ctx, scope, query }) => findUses(ctx, scope, query)),
  route(artifactEndpoints.create, ({ ctx, scope, body }) => freezeVersion(ctx, scope, body)),
  route(artifactEndpoints.remove, ({ ctx, scope, params }) => deleteVersion(ctx, scope, params.artifactId)),
  route(deploymentEndpoints.status, ({ ctx, scope, query }) =>
    readDeploymentStatus(ctx.db, scope, { previewOnly: query.previewOnly === 'true' }),
  ),
  route(deploymentEndpoints.deploy, async ({ ctx, scope, params, body }) => {
    await deployVersion(ctx, scope, { environmentId: params.envId, ...body });
    const status = await findEnvironmentStatus(ctx.db, scope, params.envId);
    if (status === null) throw notFound('The environment');
    return status;
  }),
];
