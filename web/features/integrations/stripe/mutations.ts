/** Changes of Stripe integrations, and what each makes stale. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#contracts/endpoint';
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/stripe';
import { isNotFound } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { stripeIntegrationQuery } from './queries.ts';

/** The products that plans can be linked to as well, which stand beside. */
const refresh = (client: QueryClient, orgId: string, deletedId?: string) =>
  client.invalidateQueries({
    queryKey: ['org', orgId, 'integrations'],
    // What is gone is not asked for once more while its page closes.
    predicate: ({ queryKey }) =>
      queryKey[3] !== 'jwt' && (deletedId === undefined || queryKey[4] !== deletedId),
  });

const keep = (client: QueryClient, orgId: string) => (integration: StripeIntegration) => {
  client.setQueryData(stripeIntegrationQuery(orgId, integration.id).queryKey, integration);
};

/** Answers the integration made. The form shows what was refused. */
export function useConnectStripe(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof stripeIntegrationEndpoints.create>) =>
      call(stripeIntegrationEndpoints.create, { params: { orgId }, body }),
    meta: { isErrorShown: true },
    onSuccess: (made) => {
      keep(client, orgId)(made);
      void refresh(client, orgId);
    },
  });
}

/** The form shows what was refused. */
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

/** Leaves a step of connecting out. */
export function useSkipStep(orgId: string, integrationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (step: 'initialSyncSkipped' | 'quickstartWaitForEventSkipped') =>
      call(stripeIntegrationEndpoints.update, { params: { orgId, integrationId }, body: { [step]: true } }),
    onSuccess: keep(client, orgId),
    onSettled: () => void refresh(client, orgId),
  });
}

/** Whoever asks shows what was refused. */
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

/** All that are named are tried, one after the other; the first refusal is raised then. */
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

/** What somebody else deleted meanwhile is deleted as well. Plans lose the products, so they are read again. */
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
      for (const resource of ['plans', 'artifacts', 'deployments', 'environments']) {
        void client.invalidateQueries({ queryKey: ['org', orgId, resource] });
      }
    },
  });
}
