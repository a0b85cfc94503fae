/** What is read of plans and their values. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { planEndpoints } from '#contracts/plans';
import { call } from '../../api/call.ts';

/** Waits until an organisation is selected. */
export const plansQuery = (orgId: string | null) =>
  queryOptions({
    queryKey: ['org', orgId, 'plans'],
    queryFn:
      orgId === null ? skipToken : ({ signal }) => call(planEndpoints.list, { params: { orgId } }, signal),
  });

export const planQuery = (orgId: string, planId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'plans', planId],
    queryFn: ({ signal }) => call(planEndpoints.get, { params: { orgId, planId } }, signal),
  });

/** The values of one version; a version never changes once it is not current, and the current one only by a new one. */
export const planVersionQuery = (orgId: string, planId: string, version: number | undefined) =>
  queryOptions({
    queryKey: ['org', orgId, 'plans', planId, 'versions', version],
    queryFn:
      version === undefined
        ? skipToken
        : ({ signal }) =>
            call(planEndpoints.getVersion, { params: { orgId, planId, version: String(version) } }, signal),
  });

/**
 * The plan and its current values together, as the feature editor starts from them: read once for each time it is
 * opened, never from what another page read before, and never again while it is open.
 */
export const editorStartQuery = (orgId: string, planId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'plan-editor', planId],
    queryFn: async ({ signal }) => {
      const plan = await call(planEndpoints.get, { params: { orgId, planId } }, signal);
      const params = { orgId, planId, version: String(plan.currentVersion) };
      return { plan, version: await call(planEndpoints.getVersion, { params }, signal) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
