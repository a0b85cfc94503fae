/** The ways to Stripe's pages, and what follows from a paid checkout. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { billingEndpoints } from '#contracts/billing';
import { call } from '../../api/call.ts';

/** The browser leaves for Stripe's checkout of the Grow plan. */
export function useOpenCheckout(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(billingEndpoints.checkout, { params: { orgId }, body: { plan: 'grow' } }),
    meta: { errorTitle: 'Unable to open the checkout' },
    onSuccess: ({ redirectToUrl }) => leaveFor(redirectToUrl),
    // A conflict says that the plan is another one than is shown.
    onError: () => client.invalidateQueries({ queryKey: ['org', orgId, 'billing'] }),
  });
}

/** The browser leaves for Stripe's billing portal; an answer without an address says so (specification, section 8). */
export function useOpenPortal(orgId: string) {
  return useMutation({
    mutationFn: () => call(billingEndpoints.portal, { params: { orgId } }),
    onSuccess: (answer) => {
      if (answer?.redirectToUrl) return leaveFor(answer.redirectToUrl);
      toast.error('Unable to link to billing portal', { description: 'Please contact support' });
    },
  });
}

/** The page says itself what went wrong. */
export function useFulfilCheckout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (sessionId: string) => call(billingEndpoints.fulfil, { body: { sessionId } }),
    meta: { isErrorShown: true },
    onSuccess: ({ orgId }) => client.invalidateQueries({ queryKey: ['org', orgId] }),
  });
}

/** Only ever another web page, whatever an answer says. */
function leaveFor(url: string): void {
  if (/^https?:\/\//.test(url)) window.location.assign(url);
}
