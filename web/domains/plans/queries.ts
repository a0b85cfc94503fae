/** Queries of plans and their values. */
import { queryOptions } from '@tanstack/react-query';
import { type PlanVersion, planEndpoints } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { callQuery } from '#web/api/call-query.ts';
import { queryKeys } from '#web/api/query-keys.ts';

const SUMMARIES_FRESH_MS = 60_000;

/** Disabled until an organisation is selected. */
export const plansQuery = (orgId: string | null) =>
  callQuery(queryKeys.plans(orgId), planEndpoints.list, orgId === null ? null : { params: { orgId } });

export const planQuery = (orgId: string, planId: string) =>
  callQuery(queryKeys.plan(orgId, planId), planEndpoints.get, { params: { orgId, planId } });

/** Features, customers and the last change of each plan. Counting customers is slow for large organisations. */
export const planSummariesQuery = (orgId: string) =>
  callQuery(
    queryKeys.planSummaries(orgId),
    planEndpoints.listSummaries,
    { params: { orgId } },
    { staleTime: SUMMARIES_FRESH_MS },
  );

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
  callQuery(
    queryKeys.planVersion(orgId, planId, version),
    planEndpoints.getVersion,
    version === undefined ? null : { params: { orgId, planId, version: String(version) } },
  );

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
