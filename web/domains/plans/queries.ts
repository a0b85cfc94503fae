/** Queries of plans and their values. */
import { queryOptions, skipToken } from '@tanstack/react-query';
import { type PlanVersion, planEndpoints } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const SUMMARIES_FRESH_MS = 60_000;

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

/** Features, customers and the last change of each plan. Counting customers is slow for large organisations. */
export const planSummariesQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.planSummaries(orgId),
    queryFn: ({ signal }) => call(planEndpoints.listSummaries, { params: { orgId } }, signal),
    staleTime: SUMMARIES_FRESH_MS,
  });

/** The current values of all plans. */
export const planVersionsQuery = (orgId: string) =>
  queryOptions({
    queryKey: queryKeys.planVersions(orgId),
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
