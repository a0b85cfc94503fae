/** Grants, ends and requests support access. */
import { type SUPPORT_ACCESS_HOURS, supportAccessEndpoints } from '#contracts/console/support-access';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';

const saying = (done: string) => ({ onSuccess: () => void toast.success(done) });

export const useGrantSupportAccess = (orgId: string) =>
  useChange(
    supportAccessEndpoints.grant,
    (hours: (typeof SUPPORT_ACCESS_HOURS)[number]) => ({ params: { orgId }, body: { hours } }),
    saying('Support can make changes now'),
  );

export const useEndSupportAccess = (orgId: string) =>
  useChange(supportAccessEndpoints.end, { orgId }, saying('Support can’t make changes'));

export const useChangeSupportReading = (orgId: string) =>
  useChange(
    supportAccessEndpoints.changeReading,
    (needsConsent: boolean) => ({ params: { orgId }, body: { needsConsent } }),
    saying('Support access updated'),
  );

export const useRequestSupportAccess = (orgId: string) =>
  useChange(
    supportAccessEndpoints.request,
    (reason: string) => ({ params: { orgId }, body: { reason } }),
    saying('Request sent to the owners'),
  );
