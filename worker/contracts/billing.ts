/**
 * An organisation's own subscription to Tessera: how it stands, the ways to Stripe's pages, and what comes back from
 * there (spec, console shell, 2.8 and 7; domain screens, 'Payment return pages'; DESIGN section 8).
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { billingPlanSchema } from './organisations.ts';
import { subscriptionStatusSchema } from './stripe.ts';
import { instantSchema } from './text.ts';

export type SubscriptionStatus = z.infer<typeof subscriptionStatusSchema>;

export const billingSchema = z.object({
  plan: billingPlanSchema,
  /** False: this Tessera has no Stripe account of its own, so nobody can subscribe. */
  isSetUp: z.boolean(),
  /** The organisation is known to Stripe: it has a billing portal. */
  hasCustomerId: z.boolean(),
  /** What Stripe last said; null: there never was one, or it has ended. */
  subscription: z
    .object({
      status: subscriptionStatusSchema,
      /** When the period that is being paid for ends. */
      currentPeriodEndAt: instantSchema.nullable(),
      /** It ends with that period instead of going on. */
      cancelAtPeriodEnd: z.boolean(),
    })
    .nullable(),
  usage: z.object({
    /** The calendar month, UTC: its first instant, and that of the next one. */
    monthAt: instantSchema,
    nextMonthAt: instantSchema,
    /** API calls so far; null: they cannot be read just now. */
    total: z.int().nullable(),
    /** What the plan allows; null is no limit. */
    allowance: z.int().nullable(),
    /** Null without a limit, or while the total is not known. */
    remaining: z.int().nullable(),
  }),
  /** Set: access checks of every environment are refused. `until`: when that ends by itself; null: not by itself. */
  block: z.object({ reason: z.string(), until: instantSchema.nullable() }).nullable(),
});
export type Billing = z.infer<typeof billingSchema>;

export const redirectSchema = z.object({
  /** Where the browser is to go. */
  redirectToUrl: z.string(),
});

export const checkoutSchema = z.strictObject({ plan: z.literal('grow') });

export const fulfilmentSchema = z.strictObject({
  /** cs_…, as Stripe put it into the address of the return page. */
  sessionId: z
    .string()
    .max(255, 'Must be at most 255 characters')
    .regex(/^cs_[A-Za-z0-9_]+$/, 'Must be the id of a checkout session'),
});

const edit = { kind: 'member', permission: 'org:edit' } as const;

export const billingEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/orgs/:orgId/billing',
    guard: { kind: 'member' },
    summary: "How the organisation's own subscription and its monthly usage stand",
    answer: billingSchema,
  }),
  checkout: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/checkout-session',
    guard: edit,
    summary: 'Open a checkout for the Grow plan; a conflict where it is subscribed to already',
    body: checkoutSchema,
    answer: redirectSchema,
  }),
  portal: endpoint({
    method: 'POST',
    path: '/api/orgs/:orgId/billing-portal-sessions',
    guard: edit,
    summary: "Open Stripe's billing portal; a conflict for an organisation that never subscribed",
    answer: redirectSchema,
  }),
  fulfil: endpoint({
    method: 'POST',
    path: '/api/payments/checkout-session-fulfillment',
    // The page that asks is shown without a session; the id, which cannot be guessed, only makes known what Stripe says.
    guard: { kind: 'open' },
    summary: 'Put a paid checkout into force; may be asked any number of times',
    body: fulfilmentSchema,
    answer: z.object({
      success: z.boolean(),
      /** Null: it is no checkout of ours. */
      orgId: z.string().nullable(),
    }),
  }),
  /** No session: the signature says who sent it. */
  webhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/stripe-billing',
    guard: { kind: 'open' },
    summary: "Events of Tessera's own Stripe account",
    answer: z.object({ received: z.literal(true) }),
  }),
} as const;
