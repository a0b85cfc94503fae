/** The organisations' own subscriptions to Tessera. */
import { billingEndpoints } from '#contracts/billing';
import { type Route, route } from '#worker/http/route';
import { askForPerson } from './billing-account.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { openCheckout } from './open-checkout.ts';
import { openPortal } from './open-portal.ts';
import { readBilling } from './read-billing.ts';
import { receiveBillingEvent } from './receive-billing-event.ts';

export const billingRoutes: readonly Route[] = [
  route(billingEndpoints.get, ({ ctx, scope }) => readBilling(ctx, scope)),
  route(billingEndpoints.checkout, ({ ctx, caller, scope }) => openCheckout(ctx, caller, scope)),
  route(billingEndpoints.portal, ({ ctx, caller, scope }) => openPortal(ctx, caller, scope)),
  route(billingEndpoints.fulfil, ({ ctx, body }) =>
    askForPerson(ctx, () => fulfilCheckout(ctx, body.sessionId)),
  ),
  route(billingEndpoints.webhook, ({ ctx }) => receiveBillingEvent(ctx)),
];
