/** Queries of plans and their values. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { planEndpoints } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

/** Disabled until an organisation is selected. */
export const plansQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: queryKeys.plans(orgId),
    queryFn:
      orgId === null ? skipToken : ({ signal }) => call(planEndpoints.list, { params: { orgId } }, signal),
  });

export const planQuery = (orgId: string, planId: string) =>
  queryOptions({
    queryKey: queryKeys.plan(orgId, planId),
    queryFn: ({ signal }) => call(planEndpoints.get, { params: { orgId, planId } }, signal),
  });

/** The values of one version. Versions are immutable; an edit creates a new one. */
export const planVersionQuery = (orgId: string, planId: string, version: number | undefined) =>
  queryOptions({
    queryKey: queryKeys.planVersion(orgId, planId, version),
    queryFn:
      version === undefined
        ? skipToken
        : ({ signal }) =>
            call(planEndpoints.getVersion, { params: { orgId, planId, version: String(version) } }, signal),
  });

/**
 * The plan and its current values, loaded together each time the feature editor opens. Never taken from the cache, and
 * never refetched while the editor is open.
 */
export const editorStartQuery = (orgId: string, planId: string) =>
  queryOptions({
    queryKey: queryKeys.planEditor(orgId, planId),
    queryFn: async ({ signal }) => {
      const plan = await call(planEndpoints.get, { params: { orgId, planId } }, signal);
      const params = { orgId, planId, version: String(plan.currentVersion) };
      return { plan, version: await call(planEndpoints.getVersion, { params }, signal) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
