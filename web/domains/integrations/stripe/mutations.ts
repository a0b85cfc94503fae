/** Mutations of Stripe integrations. */
import { useMutation } from '@tanstack/react-query';
import { type StripeIntegration, type SyncType, stripeIntegrationEndpoints } from '#contracts/console/stripe';
import { ignoreNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useChange, useFormChange, useRefresh } from '#web/api/use-change.ts';
import { stripeIntegrationQuery, stripeIntegrationsQuery } from './queries.ts';

const keptIn = (orgId: string) => ({
  keptAs: ({ id }: StripeIntegration) => stripeIntegrationQuery(orgId, id),
});

/** Returns the created integration. The form shows the error. */
export const useConnectStripe = (orgId: string) =>
  useFormChange(
    stripeIntegrationEndpoints.create,
    { orgId },
    {
      ...keptIn(orgId),
      onSuccess: (made, _body, client) =>
        client.setQueryData(stripeIntegrationsQuery(orgId).queryKey, (before) => before && [...before, made]),
    },
  );

export const useUpdateStripeIntegration = (orgId: string, integrationId: string) =>
  useFormChange(stripeIntegrationEndpoints.update, { orgId, integrationId }, keptIn(orgId));

/** Skips a step of connecting. */
export const useSkipStep = (orgId: string, integrationId: string) =>
  useChange(
    stripeIntegrationEndpoints.update,
    (step: 'initialSyncSkipped' | 'quickstartWaitForEventSkipped') => ({
      params: { orgId, integrationId },
      body: { [step]: true },
    }),
    keptIn(orgId),
  );

/** The caller shows the error. */
export const useAddWebhook = (orgId: string, integrationId: string) =>
  useFormChange(stripeIntegrationEndpoints.addWebhook, { orgId, integrationId }, keptIn(orgId));

/** Starts one sync per type. Throws the first error after all were tried. */
export const useStartSync = (orgId: string, integrationId: string) =>
  useMutation({
    mutationFn: async (types: readonly SyncType[]) => {
      const params = { orgId, integrationId };
      const answers = await Promise.allSettled(
        types.map((type) => call(stripeIntegrationEndpoints.startSync, { params, body: { type } })),
      );
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
    meta: { errorTitle: 'The sync could not be started' },
    onSettled: useRefresh(stripeIntegrationEndpoints.startSync, { orgId }),
  });

/** Succeeds if somebody else has already deleted the integration. */
export const useDeleteStripeIntegration = (orgId: string) =>
  useChange(
    stripeIntegrationEndpoints.remove,
    ({ id: integrationId }: { readonly id: string }) => ({ params: { orgId, integrationId } }),
    { recover: ignoreNotFound },
  );
