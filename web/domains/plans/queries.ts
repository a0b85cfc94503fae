/** Queries of plans and their values. */
import { queryOptions } from '@tanstack/react-query';
import { type PlanVersion, planEndpoints } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { endpointKey, endpointQuery, unwatchedKey } from '#web/api/endpoint-query.ts';

const SUMMARIES_FRESH_MS = 60_000;

export const plansQuery = (orgId: string | null) => endpointQuery(planEndpoints.list, { orgId });

export const planQuery = (orgId: string, planId: string) =>
  endpointQuery(planEndpoints.get, { orgId, planId });

/** Features, customers and the last change of each plan. Counting customers is slow for large organisations. */
export const planSummariesQuery = (orgId: string) =>
  endpointQuery(planEndpoints.listSummaries, { orgId }, { staleTime: SUMMARIES_FRESH_MS });

/** The current values of all plans. */
export const planVersionsQuery = (orgId: string) =>
  queryOptions({
    queryKey: endpointKey(planEndpoints.listVersions, { orgId }, 'all'),
    queryFn: async ({ signal }) => {
      const all: PlanVersion[] = [];
      let after: string | undefined;
      do {
        const query = after === undefined ? {} : { after };
        const page = await call(planEndpoints.listVersions, { params: { orgId }, query }, signal);
        all.push(...page.versions);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return all;
    },
  });

/** The values of one version. Versions are immutable; an edit creates a new one. */
export const planVersionQuery = (orgId: string, planId: string, version: number | undefined) =>
  endpointQuery(planEndpoints.getVersion, { orgId, planId, version: version?.toString() ?? null });

/**
 * The plan and its current values, loaded together each time the feature editor opens. Never taken from the cache, and
 * never refetched while the editor is open.
 */
export const editorStartQuery = (orgId: string, planId: string) =>
  queryOptions({
    queryKey: unwatchedKey(orgId, 'plan-editor', planId),
    queryFn: async ({ signal }) => {
      const plan = await call(planEndpoints.get, { params: { orgId, planId } }, signal);
      const params = { orgId, planId, version: String(plan.currentVersion) };
      return { plan, version: await call(planEndpoints.getVersion, { params }, signal) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
