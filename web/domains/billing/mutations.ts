/** Opens Stripe's checkout and billing portal, and completes a paid checkout. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { billingEndpoints } from '#contracts/console/billing';
import { call } from '#web/api/call.ts';
import { queryKeys } from '#web/api/query-keys.ts';
import { toast } from '#web/toast.ts';

const CHECKOUT_FAILED = 'Unable to open the checkout';

/** Redirects to Stripe's checkout of the Grow plan. */
export function useOpenCheckout(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(billingEndpoints.checkout, { params: { orgId }, body: { plan: 'grow' } }),
    meta: { errorTitle: CHECKOUT_FAILED },
    onSuccess: (answer) => leaveFor(answer, CHECKOUT_FAILED),
    // A conflict means that the displayed plan is outdated.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.billing(orgId) }),
  });
}

/** Redirects to Stripe's billing portal. */
export function useOpenPortal(orgId: string) {
  return useMutation({
    mutationFn: () => call(billingEndpoints.portal, { params: { orgId } }),
    onSuccess: (answer) => leaveFor(answer, 'Unable to link to billing portal'),
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

/** Follows http and https URLs only, whatever the response contains. Without one, a toast with the title appears. */
function leaveFor(answer: { readonly redirectToUrl: string } | undefined, title: string): void {
  const url = answer?.redirectToUrl;
  if (typeof url === 'string' && /^https?:\/\//.test(url)) window.location.assign(url);
  else toast.error(title, { description: 'Please contact support' });
}
