/** Opens Stripe's checkout and billing portal, and completes a paid checkout. */
import { billingEndpoints } from '#contracts/console/billing';
import { useChange } from '#web/api/use-change.ts';
import { toast } from '#web/toast.ts';

const CHECKOUT_FAILED = 'Unable to open the checkout';

/** Redirects to Stripe's checkout of the Grow plan. A conflict means that the displayed plan is outdated. */
export const useOpenCheckout = (orgId: string) =>
  useChange(
    billingEndpoints.checkout,
    (_: undefined) => ({ params: { orgId }, body: { plan: 'grow' as const } }),
    {
      errorTitle: CHECKOUT_FAILED,
      onSuccess: (answer) => leaveFor(answer, CHECKOUT_FAILED),
    },
  );

/** Redirects to Stripe's billing portal. */
export const useOpenPortal = (orgId: string) =>
  useChange(
    billingEndpoints.portal,
    { orgId },
    { onSuccess: (answer) => leaveFor(answer, 'Unable to link to billing portal') },
  );

/** The page shows errors. */
export const useFulfilCheckout = () =>
  useChange(billingEndpoints.fulfil, (sessionId: string) => ({ body: { sessionId } }), {
    isErrorShown: true,
  });

/** Follows http and https URLs only, whatever the response contains. Without one, a toast with the title appears. */
function leaveFor(answer: { readonly redirectToUrl: string } | undefined, title: string): void {
  const url = answer?.redirectToUrl;
  if (typeof url === 'string' && /^https?:\/\//.test(url)) window.location.assign(url);
  else toast.error(title, { description: 'Please contact support' });
}
