/** HTTP routes of billing. */
import { billingEndpoints } from '#contracts/console/billing';
import { type Route, route } from '#worker/http/route';
import { openCheckout } from './open-checkout.ts';
import { openPortal } from './open-portal.ts';
import { previewInvoice } from './preview-invoice.ts';
import { readBilling } from './read-billing.ts';
import { receiveBillingEvent } from './receive-billing-event.ts';
import { returnFromCheckout } from './return-from-checkout.ts';

export const billingRoutes: readonly Route[] = [
  route(billingEndpoints.get, ({ ctx, scope }) => readBilling(ctx, scope)),
  route(billingEndpoints.nextInvoice, ({ ctx, scope }) => previewInvoice(ctx, scope)),
  route(billingEndpoints.checkout, ({ ctx, scope }) => openCheckout(ctx, scope)),
  route(billingEndpoints.portal, ({ ctx, scope }) => openPortal(ctx, scope)),
  route(billingEndpoints.fulfil, ({ ctx, body }) => returnFromCheckout(ctx, body.sessionId)),
  route(billingEndpoints.webhook, ({ ctx }) => receiveBillingEvent(ctx)),
];
