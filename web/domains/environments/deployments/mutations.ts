/** Deploys versions, and reports each deployment until it is live everywhere. */
import {
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { deploymentEndpoints, type EnvironmentStatus } from '#contracts/console/artifacts';
import { call } from '#web/api/call.ts';
import { refresh } from '#web/api/refresh.ts';
import type { FollowedDeployment } from './deployment-progress.ts';
import { versionTestsQuery, warnOfFailedTests } from './failed-tests.ts';
import { followDeployment } from './follow-deployment.ts';
import { deploymentStatusQuery } from './queries.ts';

/** `from` is what the user saw running: the server answers with a conflict if another version runs by now. */
export function useDeploy(orgId: string) {
  return useMutation(deployMutation(useQueryClient(), orgId));
}

/** Deploys outside of a component: a failure shows a toast. The version's workflow tests run beside it, so that nothing waits for them. */
function rollBack(client: QueryClient, orgId: string, deployment: FollowedDeployment): void {
  client
    .getMutationCache()
    .build(client, deployMutation(client, orgId))
    .execute(deployment)
    .catch(() => {}); // The mutation cache has shown it.
  const { environmentName, version } = deployment;
  client
    .fetchQuery(versionTestsQuery(orgId, version.artifactId))
    .then((tests) => warnOfFailedTests(environmentName, version.artifactNumber, tests))
    .catch(() => {}); // They are no reason not to roll back.
}

export function deployMutation(
  client: QueryClient,
  orgId: string,
): UseMutationOptions<EnvironmentStatus, Error, FollowedDeployment> {
  return {
    mutationFn: ({ environmentId, version, from }) =>
      call(deploymentEndpoints.deploy, {
        params: { orgId, envId: environmentId },
        body: { artifactId: version.artifactId, fromArtifactId: from?.artifactId ?? null },
      }),
    meta: { errorTitle: 'Unable to Deploy' },
    onSuccess: async (status, deployment) => {
      await keepStatus(client, orgId, status);
      const { version, from } = deployment;
      const isRollback = from !== null && from.artifactNumber > version.artifactNumber;
      followDeployment(
        client,
        orgId,
        deployment,
        isRollback || from === null
          ? undefined
          : () => rollBack(client, orgId, { ...deployment, version: from, from: version }),
      );
    },
    onSettled: () => refresh(client, deploymentEndpoints.deploy, { params: { orgId } }),
  };
}

/** A read that was under way may be older than the deployment. */
async function keepStatus(client: QueryClient, orgId: string, status: EnvironmentStatus): Promise<void> {
  const { queryKey } = deploymentStatusQuery(orgId);
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (before) =>
    before === undefined
      ? undefined
      : {
          ...before,
          environments: before.environments.map((each) =>
            each.environmentId === status.environmentId ? status : each,
          ),
        },
  );
}
