/** Query of what every environment runs. */
import type { QueryState } from '@tanstack/react-query';
import { type DeploymentStatus, deploymentEndpoints } from '#contracts/console/artifacts';
import { endpointQuery } from '#web/api/endpoint-query.ts';
import { isMoving } from './deployment-display.ts';

/** Poll interval while a deployment is in progress. */
export const DEPLOYMENT_POLL_MS = 2000;

/** After a minute without a change the interval grows, so that a deployment that cannot finish is not polled for ever. */
const POLLS_PER_WAIT = 30;

/**
 * The deployment status of every environment. The top bar, the tables and the poll share this one query, so they always
 * agree.
 */
export const deploymentStatusQuery = (orgId: string | null) =>
  endpointQuery(
    deploymentEndpoints.status,
    { orgId },
    {
      query: { previewOnly: 'false' },
      refetchInterval: (query) => {
        const waited = waitedFor(query);
        return waited === null ? false : Math.max(DEPLOYMENT_POLL_MS, waited / POLLS_PER_WAIT);
      },
    },
  );

interface Waiting {
  readonly state: Pick<QueryState<DeploymentStatus>, 'data' | 'dataUpdatedAt' | 'isInvalidated'>;
}

const waits = new WeakMap<Waiting, { readonly what: string; readonly since: number }>();

/** How long a query has read the same unfinished deployments, in milliseconds. Null if there are none. */
function waitedFor(query: Waiting): number | null {
  const { data, dataUpdatedAt, isInvalidated } = query.state;
  const moving = data?.environments.filter(isMoving) ?? [];
  if (moving.length === 0) {
    waits.delete(query);
    return null;
  }
  // A region that fails again is no progress.
  const what = JSON.stringify(moving, (key, value) => (key === 'failedAt' ? undefined : value));
  const known = waits.get(query);
  // A change in this tab invalidates the query, and starts another build.
  if (known?.what === what && !isInvalidated) return dataUpdatedAt - known.since;
  waits.set(query, { what, since: dataUpdatedAt });
  return 0;
}
