/** Changes of plans and of the values they configure. Each makes stale whatever shows plans or compares the workspace. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { type PlanProperties, type ProductMapping, planEndpoints } from '#contracts/plans';
import { call } from '../../api/call.ts';
import { planQuery, plansQuery, planVersionQuery } from './queries.ts';

/** Environments as well: the preview one follows the workspace. */
const refreshWorkspace = (client: QueryClient, orgId: string) =>
  Promise.all(
    ['artifacts', 'deployments', 'environments'].map((resource) =>
      client.invalidateQueries({ queryKey: ['org', orgId, resource] }),
    ),
  );

const refresh = (client: QueryClient, orgId: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: plansQuery(orgId).queryKey }),
    refreshWorkspace(client, orgId),
  ]);

/** Answers the plan made. */
export function useCreatePlan(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof planEndpoints.create>) =>
      call(planEndpoints.create, { params: { orgId }, body }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, plan.planId).queryKey, plan),
    onSettled: () => void refresh(client, orgId),
  });
}

/** The form shows what was refused. */
export function useUpdatePlan(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof planEndpoints.update>) =>
      call(planEndpoints.update, { params: { orgId, planId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refresh(client, orgId),
  });
}

/** The page of the plan may still be shown: what is read of the plan itself is left alone. */
export function useDeletePlan(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (planId: string) => call(planEndpoints.remove, { params: { orgId, planId } }),
    onSuccess: (_answer, planId) => {
      const { queryKey } = plansQuery(orgId);
      client.setQueryData(queryKey, (plans) => plans?.filter((plan) => plan.planId !== planId));
      client.removeQueries({ queryKey: planQuery(orgId, planId).queryKey, type: 'inactive' });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: plansQuery(orgId).queryKey, exact: true });
      void refreshWorkspace(client, orgId);
    },
  });
}

export interface PlanValuesEdit {
  /** The version that the edit was made on; when it is no longer the current one, the answer is a conflict. */
  readonly version: number;
  readonly properties: PlanProperties;
}

/** Answers the next version. The editor shows what was refused. */
export function useUpdatePlanValues(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, properties }: PlanValuesEdit) =>
      call(planEndpoints.updateVersion, {
        params: { orgId, planId, version: String(version) },
        body: { properties },
      }),
    meta: { isErrorShown: true },
    onSuccess: (saved) => {
      client.setQueryData(planVersionQuery(orgId, planId, saved.version).queryKey, saved);
      client.setQueryData(
        planQuery(orgId, planId).queryKey,
        (plan) => plan && { ...plan, currentVersion: saved.version },
      );
    },
    onSettled: () => void refresh(client, orgId),
  });
}

/** Links and unlinks together. The dialog shows what was refused. */
export function useUpdatePlanProducts(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof planEndpoints.updateProducts>) =>
      call(planEndpoints.updateProducts, { params: { orgId, planId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refreshWithProducts(client, orgId),
  });
}

export function useRemovePlanProduct(orgId: string, planId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ integrationId, productId }: ProductMapping) =>
      call(planEndpoints.removeProduct, { params: { orgId, planId, integrationId, productId } }),
    onSuccess: (plan) => client.setQueryData(planQuery(orgId, planId).queryKey, plan),
    onSettled: () => void refreshWithProducts(client, orgId),
  });
}

/** The pages of integrations name the plans of each product. */
const refreshWithProducts = (client: QueryClient, orgId: string) =>
  Promise.all([
    refresh(client, orgId),
    client.invalidateQueries({ queryKey: ['org', orgId, 'integrations'] }),
  ]);
