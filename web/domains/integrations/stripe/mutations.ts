/** Mutations of Stripe integrations, with the queries that each invalidates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import type { BodyInputOf } from '#contracts/public/endpoint';
import { isNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { invalidateResources, invalidateWorkspace } from '#web/api/query-keys.ts';
import { stripeIntegrationQuery, stripeIntegrationsQuery } from './queries.ts';

/** The products that plans can link to change with their integration. */
const refresh = (client: QueryClient, orgId: string, deletedId?: string) =>
  invalidateResources(client, orgId, ['stripe-integrations', 'stripe-products'], deletedId);

const keep = (client: QueryClient, orgId: string) => (integration: StripeIntegration) => {
  client.setQueryData(stripeIntegrationQuery(orgId, integration.id).queryKey, integration);
};

/** Returns the created integration. The form shows the error. */
export function useConnectStripe(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof stripeIntegrationEndpoints.create>) =>
      call(stripeIntegrationEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (made) => {
      keep(client, orgId)(made);
      client.setQueryData(stripeIntegrationsQuery(orgId).queryKey, (before) => before && [...before, made]);
      void refresh(client, orgId);
    },
  });
}

/** The form shows the error. */
export function useUpdateStripeIntegration(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof stripeIntegrationEndpoints.update>) =>
      call(stripeIntegrationEndpoints.update, { params: { orgId, integrationId }, body }),
    meta: { isErrorShown: true },
    onSuccess: keep(client, orgId),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Skips a step of connecting. */
export function useSkipStep(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (step: 'initialSyncSkipped' | 'quickstartWaitForEventSkipped') =>
      call(stripeIntegrationEndpoints.update, { params: { orgId, integrationId }, body: { [step]: true } }),
    onSuccess: keep(client, orgId),
    onSettled: () => void refresh(client, orgId),
  });
}

/** The caller shows the error. */
export function useAddWebhook(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof stripeIntegrationEndpoints.addWebhook>) =>
      call(stripeIntegrationEndpoints.addWebhook, { params: { orgId, integrationId }, body }),
    meta: { isErrorShown: true },
    onSuccess: keep(client, orgId),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Starts one sync per type. Throws the first error after all were tried. */
export function useStartSync(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (types: readonly SyncType[]) => {
      const params = { orgId, integrationId };
      const answers = await Promise.allSettled(
        types.map((type) => call(stripeIntegrationEndpoints.startSync, { params, body: { type } })),
      );
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
    meta: { errorTitle: 'The sync could not be started' },
    onSettled: () => refresh(client, orgId),
  });
}

/**
 * Succeeds if somebody else has already deleted the integration. Also invalidates plans, because they lose its
 * products.
 */
export function useDeleteStripeIntegration(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: Pick<StripeIntegration, 'id'>) => {
      try {
        await call(stripeIntegrationEndpoints.remove, { params: { orgId, integrationId: id } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSettled: (_answer, error, { id }) => {
      void refresh(client, orgId, error === null ? id : undefined);
      void invalidateResources(client, orgId, ['plans']);
      void invalidateWorkspace(client, orgId);
    },
  });
}
