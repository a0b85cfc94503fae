/** Mutations of plans and their values. */
import { type PlanProperties, type ProductMapping, planEndpoints } from '#contracts/console/plans';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { planQuery, planVersionQuery, planVersionsQuery } from './queries.ts';

/** Returns the created plan. */
export const useCreatePlan = (orgId: string) =>
  useFormChange(planEndpoints.create, { orgId }, { keptAs: ({ planId }) => planQuery(orgId, planId) });

export const useUpdatePlan = (orgId: string, planId: string) =>
  useFormChange(planEndpoints.update, { orgId, planId }, { keptAs: () => planQuery(orgId, planId) });

export const useDeletePlan = (orgId: string) =>
  useChange(planEndpoints.remove, ({ planId }: { readonly planId: string }) => ({
    params: { orgId, planId },
  }));

export interface PlanValuesEdit {
  readonly planId: string;
  /** The version that the edit is based on. If it is no longer current, the server responds with a conflict. */
  readonly version: number;
  readonly properties: PlanProperties;
}

/** Returns the next version. The editors show the error. */
export const useUpdatePlanValues = (orgId: string) =>
  useChange(
    planEndpoints.updateVersion,
    ({ planId, version, properties }: PlanValuesEdit) => ({
      params: { orgId, planId, version: String(version) },
      body: { properties },
    }),
    {
      isErrorShown: true,
      keptAs: ({ planId, version }) => planVersionQuery(orgId, planId, version),
      onSuccess: (saved, _edit, client) => {
        client.setQueryData(planVersionsQuery(orgId).queryKey, (versions) =>
          versions?.map((version) => (version.planId === saved.planId ? saved : version)),
        );
        client.setQueryData(
          planQuery(orgId, saved.planId).queryKey,
          (plan) => plan && { ...plan, currentVersion: saved.version },
        );
      },
    },
  );

/** Links and unlinks in one request. The dialog shows the error. */
export const useUpdatePlanProducts = (orgId: string, planId: string) =>
  useFormChange(planEndpoints.updateProducts, { orgId, planId }, { keptAs: () => planQuery(orgId, planId) });

export const useRemovePlanProduct = (orgId: string, planId: string) =>
  useChange(
    planEndpoints.removeProduct,
    ({ integrationId, productId, priceId }: ProductMapping) => ({
      params: { orgId, planId, integrationId, productId },
      query: priceId === undefined ? {} : { priceId },
    }),
    { keptAs: () => planQuery(orgId, planId) },
  );
