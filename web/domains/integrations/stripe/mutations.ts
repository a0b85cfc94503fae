/** Mutations of Stripe integrations, with the queries that each invalidates. */
import {
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { ignoreNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources, invalidateWorkspace } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { stripeIntegrationQuery, stripeIntegrationsQuery } from './queries.ts';

/** The products that plans can link to change with their integration. */
const refresh = (client: QueryClient, orgId: string, deletedId?: string) =>
  invalidateResources(client, orgId, ['stripe-integrations', 'stripe-products'], deletedId);

const keep = (client: QueryClient, orgId: string) => (integration: StripeIntegration) => {
  client.setQueryData(stripeIntegrationQuery(orgId, integration.id).queryKey, integration);
};

function useUpdate<Input>(orgId: string, options: UseMutationOptions<StripeIntegration, Error, Input>) {
  const client = useQueryClient();
  return useMutation({
    ...options,
    onSuccess: keep(client, orgId),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Returns the created integration. The form shows the error. */
export function useConnectStripe(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(stripeIntegrationEndpoints.create, { orgId }),
    onSuccess: (made) => {
      keep(client, orgId)(made);
      client.setQueryData(stripeIntegrationsQuery(orgId).queryKey, (before) => before && [...before, made]);
      void refresh(client, orgId);
    },
  });
}

/** The form shows the error. */
export const useUpdateStripeIntegration = (orgId: string, integrationId: string) =>
  useUpdate(orgId, formCall(stripeIntegrationEndpoints.update, { orgId, integrationId }));

/** Skips a step of connecting. */
export const useSkipStep = (orgId: string, integrationId: string) =>
  useUpdate(orgId, {
    mutationFn: (step: 'initialSyncSkipped' | 'quickstartWaitForEventSkipped') =>
      call(stripeIntegrationEndpoints.update, { params: { orgId, integrationId }, body: { [step]: true } }),
  });

/** The caller shows the error. */
export const useAddWebhook = (orgId: string, integrationId: string) =>
  useUpdate(orgId, formCall(stripeIntegrationEndpoints.addWebhook, { orgId, integrationId }));

/** Starts one sync per type. Throws the first error after all were tried. */
export const useStartSync = (orgId: string, integrationId: string) =>
  useChange((client) => refresh(client, orgId), {
    mutationFn: async (types: readonly SyncType[]) => {
      const params = { orgId, integrationId };
      const answers = await Promise.allSettled(
        types.map((type) => call(stripeIntegrationEndpoints.startSync, { params, body: { type } })),
      );
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
    meta: { errorTitle: 'The sync could not be started' },
  });

/**
 * Succeeds if somebody else has already deleted the integration. Also invalidates plans, because they lose its
 * products.
 */
export function useDeleteStripeIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<StripeIntegration, 'id'>) =>
      call(stripeIntegrationEndpoints.remove, { params: { orgId, integrationId: id } }).catch(ignoreNotFound),
    onSettled: (_answer, error, { id }) => {
      void refresh(client, orgId, error === null ? id : undefined);
      void invalidateResources(client, orgId, ['plans']);
      void invalidateWorkspace(client, orgId);
    },
  });
}
