/** Opens Stripe's checkout and billing portal, and completes a paid checkout. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { billingEndpoints } from '#contracts/console/billing';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { toast } from '#web/toast.ts';

/** Redirects to Stripe's checkout of the Grow plan. */
export function useOpenCheckout(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(billingEndpoints.checkout, { params: { orgId }, body: { plan: 'grow' } }),
    meta: { errorTitle: 'Unable to open the checkout' },
    onSuccess: ({ redirectToUrl }) => leaveFor(redirectToUrl),
    // A conflict means that the displayed plan is outdated.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.billing(orgId) }),
  });
}

/** Redirects to Stripe's billing portal. Shows a toast if the response contains no URL. */
export function useOpenPortal(orgId: string) {
  return useMutation({
    mutationFn: () => call(billingEndpoints.portal, { params: { orgId } }),
    onSuccess: (answer) => {
      if (answer?.redirectToUrl) return leaveFor(answer.redirectToUrl);
      toast.error('Unable to link to billing portal', { description: 'Please contact support' });
    },
  });
}

/** The page shows errors. */
export function useFulfilCheckout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) => call(billingEndpoints.fulfil, { body: { sessionId } }),
    meta: { isErrorShown: true },
    onSuccess: ({ orgId }) => client.invalidateQueries({ queryKey: queryKeys.organisationScope(orgId) }),
  });
}

/** Follows http and https URLs only, whatever the response contains. */
function leaveFor(url: string): void {
  if (/^https?:\/\//.test(url)) window.location.assign(url);
}
