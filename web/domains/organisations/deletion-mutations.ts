/** Schedules and cancels the deletion of an organisation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { organisationDeletionEndpoints } from '#contracts/console/organisation-deletion';
import { call } from '#web/api/call.ts';
import { formCall } from '#web/api/form-call.ts';
import { invalidateResources } from '#web/api/query-keys.ts';
import { toast } from '#web/toast.ts';
import { formatDay } from '#web/ui/format.ts';

/** The dialog shows errors. */
export function useRequestDeletion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    ...formCall(organisationDeletionEndpoints.request, { orgId }),
    onSuccess: ({ dueAt }) => {
      toast.success(`Deletion scheduled for ${formatDay(dueAt)}`);
      return invalidateResources(client, orgId, ['summary']);
    },
  });
}

/** The link leads back to the settings page. */
export const useMailDeletionLink = (orgId: string, email: string) =>
  useMutation({
    mutationFn: () => call(organisationDeletionEndpoints.mailLink, { params: { orgId } }),
    onSuccess: () => toast.success(`A link was sent to ${email}`),
  });

export function useCancelDeletion(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(organisationDeletionEndpoints.cancel, { params: { orgId } }),
    onSuccess: () => toast.success('Deletion cancelled'),
    onSettled: () => invalidateResources(client, orgId, ['summary']),
  });
}
