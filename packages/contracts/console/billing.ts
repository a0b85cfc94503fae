/**
 * Console API of an organisation's own Tessera subscription: its state, links to Stripe's pages, and the return from
 * them. See worker/domains/billing/README.md, "Billing".
 */
import { z } from 'zod';
import { member, open, orgEditor } from '../public/endpoint.ts';
import { instantSchema } from '../public/text.ts';
import { billingNoticeSchema, billingPlanSchema } from './organisations.ts';
import { subscriptionStatusSchema } from './stripe.ts';

export type SubscriptionStatus = z.infer<typeof subscriptionStatusSchema>;

export const billingSchema = z.object({
  plan: billingPlanSchema,
  /** False: no Stripe account is configured, so nobody can subscribe. */
  isSetUp: z.boolean(),
  /** Whether the organisation has a Stripe customer, and thus a billing portal. */
  hasCustomerId: z.boolean(),
  /** The state last read from Stripe; null: never subscribed, or ended. */
  subscription: z
    .object({
      status: subscriptionStatusSchema,
      /** End of the current billing period. */
      currentPeriodEndAt: instantSchema.nullable(),
      /** Whether it ends with that period. */
      cancelAtPeriodEnd: z.boolean(),
      /** While a payment is past due: until when the plan stays active; null: nothing is past due. */
      pastDueUntil: instantSchema.nullable(),
    })
    .nullable(),
  /** As in the organisation's summary. */
  notice: billingNoticeSchema.nullable(),
  usage: z.object({
    /** First instants of this and the next calendar month (UTC). */
    monthAt: instantSchema,
    nextMonthAt: instantSchema,
    /** API calls so far; null: currently unavailable. */
    total: z.int().nullable(),
    /** The plan's allowance; null: unlimited. */
    allowance: z.int().nullable(),
    /** Null: unlimited, or the total is unavailable. */
    remaining: z.int().nullable(),
    /** The usage that the next invoice has; null: none is billed. */
    invoiced: z
      .object({
        /** The subscription's current period. */
        periodStartAt: instantSchema,
        periodEndAt: instantSchema,
        /** API calls since it began; null: currently unavailable. */
        total: z.int().nullable(),
      })
      .nullable(),
  }),
  /** Set: access checks of every environment are blocked. `until`: when the block ends automatically; null: it does not. */
  block: z.object({ reason: z.string(), until: instantSchema.nullable() }).nullable(),
});
export type Billing = z.infer<typeof billingSchema>;

export const nextInvoiceSchema = z.object({
  /** What Stripe would invoice for the period so far, with discounts and tax; null: nothing more is invoiced. */
  invoice: z
    .object({
      /** In the currency's minor unit. */
      totalMinor: z.int(),
      currency: z.string(),
    })
    .nullable(),
});

export type NextInvoice = z.infer<typeof nextInvoiceSchema>;

export const redirectSchema = z.object({
  /** The URL to open. */
  redirectToUrl: z.string(),
});

export const checkoutSchema = z.strictObject({ plan: z.literal('grow') });

export const fulfilmentSchema = z.strictObject({
  /** cs_…, from the URL of the return page. */
  sessionId: z
    .string()
    .max(255, 'Must be at most 255 characters')
    .regex(/^cs_[A-Za-z0-9_]+$/, 'Must be the ID of a checkout session'),
});

export const billingEndpoints = {
  get: member.get('/api/orgs/:orgId/billing', {
    summary: "Read the organisation's subscription and monthly usage",
    reads: 'billing',
    answer: billingSchema,
  }),
  nextInvoice: member.get('/api/orgs/:orgId/next-invoice', {
    summary: "Read from Stripe what the organisation's next invoice would be; unavailable while Stripe is",
    reads: 'billing',
    answer: nextInvoiceSchema,
  }),
  checkout: orgEditor.post('/api/orgs/:orgId/checkout-session', {
    summary: 'Open a checkout for the Grow plan; a conflict if already subscribed',
    changes: ['billing'],
    body: checkoutSchema,
    answer: redirectSchema,
  }),
  portal: orgEditor.post('/api/orgs/:orgId/billing-portal-sessions', {
    summary: "Open Stripe's billing portal; a conflict for an organisation that never subscribed",
    changes: ['billing'],
    answer: redirectSchema,
  }),
  /** The return page has no session. The id is unguessable and reveals only the checkout's state. */
  fulfil: open.post('/api/payments/checkout-session-fulfillment', {
    summary: 'Apply a completed checkout; safe to repeat',
    changes: ['everything'],
    body: fulfilmentSchema,
    answer: z.object({
      success: z.boolean(),
      /** Null: not a Tessera checkout. */
      orgId: z.string().nullable(),
    }),
  }),
  /** No session: the signature authenticates the sender. */
  webhook: open.post('/api/webhooks/stripe-billing', {
    summary: "Events of Tessera's own Stripe account",
    answer: z.object({ received: z.literal(true) }),
  }),
} as const;
