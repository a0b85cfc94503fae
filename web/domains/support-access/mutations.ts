/** Grants, ends and requests support access. It decides what staff can do, so all of the organisation is read again. */
import { type SUPPORT_ACCESS_HOURS, supportAccessEndpoints } from '#contracts/console/support-access';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';

const useSupportAccessMutation = <Input>(
  orgId: string,
  mutationFn: (input: Input) => Promise<unknown>,
  done: string,
) =>
  useChange((client) => client.invalidateQueries({ queryKey: queryKeys.organisationScope(orgId) }), {
    mutationFn,
    onSuccess: () => void toast.success(done),
  });

export const useGrantSupportAccess = (orgId: string) =>
  useSupportAccessMutation(
    orgId,
    (hours: (typeof SUPPORT_ACCESS_HOURS)[number]) =>
      call(supportAccessEndpoints.grant, { params: { orgId }, body: { hours } }),
    'Support can make changes now',
  );

export const useEndSupportAccess = (orgId: string) =>
  useSupportAccessMutation<void>(
    orgId,
    () => call(supportAccessEndpoints.end, { params: { orgId } }),
    'Support can’t make changes',
  );

export const useChangeSupportReading = (orgId: string) =>
  useSupportAccessMutation(
    orgId,
    (needsConsent: boolean) =>
      call(supportAccessEndpoints.changeReading, { params: { orgId }, body: { needsConsent } }),
    'Support access updated',
  );

export const useRequestSupportAccess = (orgId: string) =>
  useSupportAccessMutation(
    orgId,
    (reason: string) => call(supportAccessEndpoints.request, { params: { orgId }, body: { reason } }),
    'Request sent to the owners',
  );
