/** Changes of webhooks. Secrets leave memory with the part of the page that shows them. */
import { useMutation } from '@tanstack/react-query';
import { webhookEndpoints } from '#contracts/console/webhooks';
import { ignoreNotFound } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { webhookQuery } from './queries.ts';

/** Resolves to the webhook with its secret. The dialog shows the error. */
export const useCreateWebhook = (orgId: string) =>
  useFormChange(webhookEndpoints.create, { orgId }, { gcTime: 0 });

export const useUpdateWebhook = (orgId: string, webhookId: string) =>
  useFormChange(
    webhookEndpoints.update,
    { orgId, webhookId },
    { keptAs: () => webhookQuery(orgId, webhookId) },
  );

/** Enables or disables it. */
export const useSwitchWebhook = (orgId: string, webhookId: string) =>
  useChange(
    webhookEndpoints.update,
    (isEnabled: boolean) => ({ params: { orgId, webhookId }, body: { isEnabled } }),
    { keptAs: () => webhookQuery(orgId, webhookId) },
  );

/** Succeeds if somebody else has already deleted it. */
export const useDeleteWebhook = (orgId: string) =>
  useChange(webhookEndpoints.remove, (webhookId: string) => ({ params: { orgId, webhookId } }), {
    recover: ignoreNotFound,
  });

/** The server writes it to the audit log. */
export const useRevealSecret = (orgId: string, webhookId: string) =>
  useMutation({
    mutationFn: () => call(webhookEndpoints.reveal, { params: { orgId, webhookId } }),
    gcTime: 0,
  });

export const useRotateSecret = (orgId: string, webhookId: string) =>
  useChange(webhookEndpoints.rotate, { orgId, webhookId }, { gcTime: 0 });

export const useTestWebhook = (orgId: string, webhookId: string) =>
  useChange(webhookEndpoints.test, { orgId, webhookId });

export const useResend = (orgId: string, webhookId: string) =>
  useChange(webhookEndpoints.resend, (eventId: string) => ({ params: { orgId, webhookId, eventId } }));

export const useResendFailed = (orgId: string, webhookId: string) =>
  useChange(webhookEndpoints.resendFailed, { orgId, webhookId });
