/**
 * Console API of Stripe integrations: webhook, sync jobs, and the customers and products read from Stripe. See
 * worker/domains/integrations/stripe/README.md, "Stripe".
 */
import { z } from 'zod';
import { customerReader, member } from '../public/endpoint.ts';
import { descriptionSchema, instantSchema, nameSchema } from '../public/text.ts';
import { subscriptionPolicySchema } from './subscription-policy.ts';

/** Per organisation. */
export const MAX_STRIPE_INTEGRATIONS = 10;
export const MIN_SECRET_KEY = 10;
/** As in Stripe. */
const MAX_USER_ID_KEY = 40;

/** The event types that every webhook needs. */
export const STRIPE_WEBHOOK_EVENTS = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'product.created',
  'product.updated',
  'product.deleted',
] as const;

/** Those that it needs besides, where one-time prices give something: that a customer's payments changed. */
export const STRIPE_PAYMENT_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] as const;

/** What a webhook is set up with, so that prices can be linked at any time. */
export const ALL_STRIPE_EVENTS = [...STRIPE_WEBHOOK_EVENTS, ...STRIPE_PAYMENT_EVENTS] as const;

/** Stripe's statuses; `unknown` grants nothing. */
export const subscriptionStatusSchema = z.enum([
  'active',
  'trialing',
  'past_due',
  'incomplete',
  'incomplete_expired',
  'unpaid',
  'paused',
  'canceled',
  'unknown',
]);

export const subscriptionItemSchema = z.object({
  productId: z.string(),
  priceId: z.string(),
  /** Null: a metered price has none. */
  quantity: z.int().nullable(),
  /** The paid period; null if unknown. */
  periodStartAt: instantSchema.nullable(),
  periodEndAt: instantSchema.nullable(),
});

/** Stripe collects no payments, and the status stays as it is. */
export const pausedCollectionSchema = z.object({
  /** What becomes of invoices, as Stripe calls it. */
  behavior: z.string(),
  /** Null: until somebody resumes it. */
  resumesAt: instantSchema.nullable(),
});

export const storedSubscriptionSchema = z.object({
  /** sub_… */
  id: z.string(),
  status: subscriptionStatusSchema,
  /** Of all items. */
  productIds: z.array(z.string()),
  /** Absent in older rows, like the next. */
  items: z.array(subscriptionItemSchema).optional(),
  pauseCollection: pausedCollectionSchema.nullish(),
  /** When the earliest paid period ends, when it is to be cancelled, and when its trial ends. Absent in older rows. */
  currentPeriodEndAt: instantSchema.nullish(),
  cancelAt: instantSchema.nullish(),
  trialEndAt: instantSchema.nullish(),
  /** Since when it is past due: when Tessera first read it so. */
  pastDueAt: instantSchema.optional(),
  /** From when Stripe counts billing periods: `billing_cycle_anchor`. Absent in older rows. */
  anchorAt: instantSchema.optional(),
  /** When other products, prices or quantities than before were first read, with the same anchor. Absent: they never changed since. */
  itemsChangedAt: instantSchema.optional(),
  /** What they were before each such change, in order, until it was read. At most 20. */
  formerItems: z
    .array(
      z.object({
        until: instantSchema,
        items: z.array(subscriptionItemSchema.pick({ productId: true, priceId: true, quantity: true })),
      }),
    )
    .optional(),
  /** Only during a trial: when it began. Absent in older rows. */
  trialStartAt: instantSchema.optional(),
  /** Only of trials: Stripe has nothing to charge. */
  lacksPaymentMethod: z.literal(true).optional(),
});
export type StoredSubscription = z.infer<typeof storedSubscriptionSchema>;

export const SYNC_TYPES = ['stripe-customer', 'stripe-product'] as const;
export const syncTypeSchema = z.enum(SYNC_TYPES);
export type SyncType = z.infer<typeof syncTypeSchema>;
export const syncStatusSchema = z.enum(['running', 'finished', 'failed']);
export type SyncStatus = z.infer<typeof syncStatusSchema>;

export const syncJobSchema = z.object({
  id: z.string(),
  type: syncTypeSchema,
  status: syncStatusSchema,
  processed: z.int(),
  failed: z.int(),
  startedAt: instantSchema,
  finishedAt: instantSchema.nullable(),
  /** Error message; for a running job, why it waits. */
  error: z.string().nullable(),
  /** The next attempt of a running job that waits for Stripe. */
  waitsUntil: instantSchema.nullable(),
});
export type SyncJob = z.infer<typeof syncJobSchema>;

/**
 * `missing`: no endpoint in Stripe has the URL · `disabled`: in Stripe · `url`: it was changed · `events`: some of the types are not
 * sent · `version`: of Stripe's API, another one · `secret`: deliveries are signed with another one · `duplicate`: several
 * endpoints have the URL · `unreadable`: the key may not read endpoints, so the others are unknown.
 */
export const WEBHOOK_PROBLEMS = [
  'missing',
  'disabled',
  'url',
  'events',
  'version',
  'secret',
  'duplicate',
  'unreadable',
] as const;
export type WebhookProblem = (typeof WEBHOOK_PROBLEMS)[number];

/** The webhook endpoint as last read from Stripe. It is read when polling finds events that it did not bring. */
export const webhookHealthSchema = z.object({
  /** Empty: it works. */
  problems: z.array(z.enum(WEBHOOK_PROBLEMS)),
  /** The version of Stripe's API that it sends; null: the account's default, or unknown. */
  apiVersion: z.string().nullable(),
  checkedAt: instantSchema,
});
export type WebhookHealth = z.infer<typeof webhookHealthSchema>;

export const stripeIntegrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  accountId: z.string(),
  /** Whether the key is a test-mode key. */
  testMode: z.boolean(),
  maskedKey: z.string(),
  /** False as well if Stripe no longer has the endpoint. */
  hasWebhook: z.boolean(),
  webhookManuallyAdded: z.boolean(),
  webhook: z.object({ url: z.string(), events: z.array(z.string()) }),
  /** Null: there was no reason to look it up yet. */
  webhookHealth: webhookHealthSchema.nullable(),
  initialSyncSkipped: z.boolean(),
  quickstartWaitForEventSkipped: z.boolean(),
  quickStart: z.boolean(),
  subscriptionPolicy: subscriptionPolicySchema,
  /** The metadata key that holds the application's own user ids. */
  userIdKey: z.string().nullable(),
  /** False while stored customers are searched for user ids, after the key was set. */
  userIdsReady: z.boolean(),
  firstEventAt: instantSchema.nullable(),
  lastEventAt: instantSchema.nullable(),
  /** The last customer sync. */
  lastSyncJobReport: syncJobSchema.nullable(),
  lastSyncJobTime: instantSchema.nullable(),
  /** The last job of each type. */
  syncJobs: z.array(syncJobSchema),
  customerCount: z.int(),
  productCount: z.int(),
  /** The connection error; null: none. */
  trouble: z.object({ message: z.string(), at: instantSchema }).nullable(),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
export type StripeIntegration = z.infer<typeof stripeIntegrationSchema>;

/** A secret (sk_…) or restricted (rk_…) key. Its permissions are verified by calling Stripe. */
export const secretKeySchema = z
  .string()
  .trim()
  .min(MIN_SECRET_KEY, 'Secret key must be at least 10 characters.')
  .max(255, 'Must be at most 255 characters')
  .refine((text) => /^[\x21-\x7e]*$/.test(text), 'Must not contain spaces or special characters');

/** A key of Stripe's metadata; null: none. Empty counts as none. */
const userIdKeySchema = z
  .string()
  .trim()
  .max(MAX_USER_ID_KEY, `Must be at most ${MAX_USER_ID_KEY} characters`)
  .regex(/^[\w .:/-]*$/, 'Must consist of letters, digits, spaces and _ - . : /')
  .transform((key) => key || null)
  .nullable();

export const createStripeIntegrationSchema = z.strictObject({
  /** Default: the account's name in Stripe. */
  name: nameSchema.optional(),
  description: descriptionSchema.optional(),
  secretKey: secretKeySchema,
  quickStart: z.boolean().optional(),
});

export const updateStripeIntegrationSchema = z
  .strictObject({
    name: nameSchema,
    description: descriptionSchema,
    /** Replaces the key; must be of the same account and mode. */
    secretKey: secretKeySchema,
    initialSyncSkipped: z.boolean(),
    quickstartWaitForEventSkipped: z.boolean(),
    subscriptionPolicy: subscriptionPolicySchema,
    userIdKey: userIdKeySchema,
    updatedAt: instantSchema,
  })
  .partial();

/** `automatic`: Tessera creates the endpoint in Stripe. `manual`: the user created it and provides its signing secret. */
export const addStripeWebhookSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('automatic') }),
  z.strictObject({
    mode: z.literal('manual'),
    signingSecret: z
      .string()
      .trim()
      .regex(/^whsec_[\x21-\x7e]+$/, 'Must begin with whsec_')
      .max(255, 'Must be at most 255 characters'),
  }),
]);

export const startSyncSchema = z.strictObject({ type: syncTypeSchema });

export const stripeCustomerSchema = z.object({
  id: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  testMode: z.boolean(),
  subscriptions: z.array(
    storedSubscriptionSchema
      .pick({ id: true, status: true, productIds: true, items: true })
      /** By the integration's policy. */
      .extend({ isGranting: z.boolean() }),
  ),
  createdAt: instantSchema,
  readAt: instantSchema,
});
export type StripeCustomer = z.infer<typeof stripeCustomerSchema>;

export const stripeProductSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  testMode: z.boolean(),
  /** Plans that the product grants in the workspace. */
  planIds: z.array(z.string()),
  createdAt: instantSchema,
  readAt: instantSchema,
});
export type StripeProduct = z.infer<typeof stripeProductSchema>;

/** A recurring price of a product, as Stripe has it now. */
export const stripePriceSchema = z.object({
  priceId: z.string(),
  /** Its nickname, amount and interval. */
  name: z.string(),
  /** False: archived. */
  active: z.boolean(),
});
export type StripePrice = z.infer<typeof stripePriceSchema>;

/** A product that a plan can be linked to. */
export const availableProductSchema = z.object({
  integrationId: z.string(),
  productId: z.string(),
  name: z.string(),
  testMode: z.boolean(),
  integrationName: z.string(),
  active: z.boolean(),
});
export type AvailableProduct = z.infer<typeof availableProductSchema>;

/** Characters of a search for synced customers and products. */
export const MAX_SYNCED_SEARCH = 100;

const pageQuerySchema = z.strictObject({
  /** Part of a name, an email address or an id. */
  query: z
    .string()
    .trim()
    .max(MAX_SYNCED_SEARCH, `Must be at most ${MAX_SYNCED_SEARCH} characters`)
    .optional(),
  cursor: z.string().max(300).optional(),
});
const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    /** All matches. */
    total: z.int(),
  });

const stripe = '/api/orgs/:orgId/integrations/stripe';
const one = `${stripe}/:integrationId` as const;

export const stripeIntegrationEndpoints = {
  list: member.get(stripe, {
    summary: 'List Stripe integrations',
    reads: 'stripe-integrations',
    answer: z.array(stripeIntegrationSchema),
  }),
  create: member.post(stripe, {
    summary: 'Connect a Stripe account by its secret key',
    changes: ['stripe-integrations', 'stripe-products'],
    body: createStripeIntegrationSchema,
    answer: stripeIntegrationSchema,
    status: 201,
  }),
  get: member.get(one, {
    summary: 'Read a Stripe integration',
    reads: 'stripe-integrations',
    answer: stripeIntegrationSchema,
  }),
  update: member.put(one, {
    summary: 'Change a Stripe integration, or its secret key',
    changes: ['stripe-integrations', 'stripe-products'],
    body: updateStripeIntegrationSchema,
    answer: stripeIntegrationSchema,
  }),
  remove: member.remove(one, {
    summary: 'Delete a Stripe integration with its webhook and stored key',
    changes: ['stripe-integrations', 'stripe-products', 'plans', 'workspace'],
  }),
  addWebhook: member.post(`${one}/webhook`, {
    summary: 'Create the webhook in Stripe, or set the signing secret of a manual one',
    changes: ['stripe-integrations', 'stripe-products'],
    body: addStripeWebhookSchema,
    answer: stripeIntegrationSchema,
  }),
  startSync: member.post(`${one}/sync-jobs`, {
    summary: 'Start syncing all customers or products from Stripe; a conflict while one runs',
    changes: ['stripe-integrations', 'stripe-products'],
    body: startSyncSchema,
    answer: syncJobSchema,
    status: 202,
  }),
  listCustomers: customerReader.get(`${one}/customers`, {
    summary: 'List synced Stripe customers, newest first',
    reads: 'stripe-integrations',
    query: pageQuerySchema,
    answer: pageOf(stripeCustomerSchema),
  }),
  listProducts: member.get(`${one}/products`, {
    summary: 'List synced Stripe products, newest first',
    reads: 'stripe-integrations',
    query: pageQuerySchema,
    answer: pageOf(stripeProductSchema),
  }),
  listPrices: member.get(`${one}/products/:productId/prices`, {
    summary: 'List the recurring prices of a product, newest first, as Stripe has them now',
    reads: 'stripe-products',
    answer: z.array(stripePriceSchema),
  }),
  availableProducts: member.get('/api/orgs/:orgId/integrations/stripe-products', {
    summary: 'Products of all Stripe integrations that a plan can be linked to',
    reads: 'stripe-products',
    answer: z.array(availableProductSchema),
  }),
} as const;

/** Stripe posts an integration's events here. No session: the signature authenticates the sender. */
export const stripeWebhookPath = '/api/webhooks/stripe/:integrationId';
