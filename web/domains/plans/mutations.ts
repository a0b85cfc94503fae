/** Mutations of plans and their values. Each invalidates the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Plan, type PlanProperties, type ProductMapping, planEndpoints } from '#contracts/console/plans';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources, invalidateWorkspace, queryKeys } from '#web/api/query-keys.ts';
import { planQuery, plansQuery, planVersionQuery, planVersionsQuery } from './queries.ts';

const refresh = (client: QueryClient, orgId: string) =>
  Promise.all([invalidateResources(client, orgId, ['plans']), invalidateWorkspace(client, orgId)]);

/** Returns the created plan. */
export function useCreatePlan(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(planEndpoints.create, { orgId }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, plan.planId).queryKey, plan),
    onSettled: () => void refresh(client, orgId),
  });
}

/** The form shows the error. */
export function useUpdatePlan(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(planEndpoints.update, { orgId, planId }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refresh(client, orgId),
  });
}

/** The plan's own queries are not invalidated, because its page may still be shown. */
export function useDeletePlan(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ planId }: Pick<Plan, 'planId'>) =>
      call(planEndpoints.remove, { params: { orgId, planId } }),
    onSuccess: (_answer, { planId }) => {
      const { queryKey } = plansQuery(orgId);
      client.setQueryData(queryKey, (plans) => plans?.filter((plan) => plan.planId !== planId));
      client.removeQueries({ queryKey: planQuery(orgId, planId).queryKey, type: 'inactive' });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: plansQuery(orgId).queryKey, exact: true });
      void invalidateWorkspace(client, orgId);
    },
  });
}

export interface PlanValuesEdit {
  readonly planId: string;
  /** The version that the edit is based on. If it is no longer current, the server responds with a conflict. */
  readonly version: number;
  readonly properties: PlanProperties;
}

/** Returns the next version. The editors show the error. */
export function useUpdatePlanValues(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ planId, version, properties }: PlanValuesEdit) =>
      call(planEndpoints.updateVersion, {
        params: { orgId, planId, version: String(version) },
        body: { properties },
      }),
    meta: { isErrorShown: true },
    onSuccess: (saved) => {
      client.setQueryData(planVersionQuery(orgId, saved.planId, saved.version).queryKey, saved);
      client.setQueryData(planVersionsQuery(orgId).queryKey, (versions) =>
        versions?.map((version) => (version.planId === saved.planId ? saved : version)),
      );
      client.setQueryData(
        planQuery(orgId, saved.planId).queryKey,
        (plan) => plan && { ...plan, currentVersion: saved.version },
      );
    },
    onSettled: () => {
      void refresh(client, orgId);
      // Names the order in which limits compare from the first edit on.
      void client.invalidateQueries({ queryKey: queryKeys.organisationSummary(orgId) });
    },
  });
}

/** Links and unlinks in one request. The dialog shows the error. */
export function useUpdatePlanProducts(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(planEndpoints.updateProducts, { orgId, planId }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refreshWithProducts(client, orgId),
  });
}

export function useRemovePlanProduct(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ integrationId, productId, priceId }: ProductMapping) =>
      call(planEndpoints.removeProduct, {
        params: { orgId, planId, integrationId, productId },
        query: priceId === undefined ? {} : { priceId },
      }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refreshWithProducts(client, orgId),
  });
}

/** The pages of integrations show the plans of each product. */
const refreshWithProducts = (client: QueryClient, orgId: string) =>
  Promise.all([
    refresh(client, orgId),
    invalidateResources(client, orgId, ['stripe-integrations', 'stripe-products']),
  ]);
