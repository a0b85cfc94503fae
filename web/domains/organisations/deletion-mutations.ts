/** Schedules and cancels the deletion of an organisation. */
import { organisationDeletionEndpoints } from '#contracts/console/organisation-deletion';
import { useChange, useFormChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';
import { formatDay } from '#web/ui/format.ts';

/** The dialog shows errors. */
export const useRequestDeletion = (orgId: string) =>
  useFormChange(
    organisationDeletionEndpoints.request,
    { orgId },
    { onSuccess: ({ dueAt }) => toast.success(`Deletion scheduled for ${formatDay(dueAt)}`) },
  );

/** The link leads back to the settings page. */
export const useMailDeletionLink = (orgId: string, email: string) =>
  useChange(
    organisationDeletionEndpoints.mailLink,
    { orgId },
    { onSuccess: () => toast.success(`A link was sent to ${email}`) },
  );

export const useCancelDeletion = (orgId: string) =>
  useChange(
    organisationDeletionEndpoints.cancel,
    { orgId },
    { onSuccess: () => toast.success('Deletion cancelled') },
  );
