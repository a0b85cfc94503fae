/**
 * Organisations' Stripe accounts as last read from Stripe: integrations with encrypted keys, customers with
 * subscriptions, products and the plans they grant, sync jobs, webhook events.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { EmailRole } from '#contracts/console/linked-customer';
import type { StoredSubscription, SyncStatus, SyncType, WebhookHealth } from '#contracts/console/stripe';
import type { SubscriptionPolicy } from '#contracts/console/subscription-policy';
import type { PaymentsRead } from '#contracts/console/top-ups';
import type { EndedSubscription } from '#contracts/internal/customer-facts';
import type { PlanPrice } from '#contracts/public/sales';
import { flag, instant, json, partOf } from './columns.ts';
import { organization } from './organisations.ts';
import { plan } from './plans.ts';

export const stripeIntegration = sqliteTable(
  'stripe_integration',
  {
    /** Part of the webhook URL, so it must be unguessable. */
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    name: text('name').notNull(),
    description: text('description'),
    /** Stripe's id of the account that the key belongs to. */
    accountId: text('account_id').notNull(),
    livemode: flag('livemode').notNull(),
    /** Encrypted (platform/encryption); null after the integration is deleted. */
    secretKey: text('secret_key'),
    /** Shown in the console: the key's prefix and last four characters. */
    maskedKey: text('masked_key').notNull(),
    /** Stripe's endpoint id, if it was created through the API. */
    webhookEndpointId: text('webhook_endpoint_id'),
    /** Encrypted signing secret; null: no webhook yet. */
    webhookSecret: text('webhook_secret'),
    /** Encrypted previous secret, accepted until `previousWebhookSecretUntil`. */
    previousWebhookSecret: text('previous_webhook_secret'),
    /** Until then both secrets are accepted. */
    previousWebhookSecretUntil: instant('previous_webhook_secret_until'),
    /** Whether a person added the webhook in Stripe. */
    webhookManuallyAdded: flag('webhook_manually_added').notNull().default(false),
    /** The endpoint as last looked up in Stripe; null: not since it was added. */
    webhookHealth: json<WebhookHealth>('webhook_health'),
    /** When a delivery with a wrong signature came; null: none since the last valid one. */
    webhookRefusedAt: instant('webhook_refused_at'),
    /** Whether the quick start’s step was skipped. */
    initialSyncSkipped: flag('initial_sync_skipped').notNull().default(false),
    /** Whether the quick start’s step was skipped. */
    quickstartWaitForEventSkipped: flag('quickstart_wait_for_event_skipped').notNull().default(false),
    /** Whether the quick start created it. */
    quickStart: flag('quick_start').notNull().default(false),
    /** What subscriptions mean for access; null: the default. */
    subscriptionPolicy: json<SubscriptionPolicy>('subscription_policy'),
    /** The key of customers' metadata that holds the application's own user id; null: none. */
    userIdKey: text('user_id_key'),
    /** Whether every stored customer has the user id by this key. Until then none is in effect. */
    userIdsReady: flag('user_ids_ready').notNull().default(false),
    /** When user ids began or ceased to be in effect, later than its customers' facts: a version of facts. */
    userIdsAt: instant('user_ids_at').notNull().default(0),
    /** The first event received; null: none yet. */
    firstEventAt: instant('first_event_at'),
    /** The last event received. */
    lastEventAt: instant('last_event_at'),
    /** Stripe's id of the newest event that polling has seen. */
    lastSeenEventId: text('last_seen_event_id'),
    /** The newest event that the poll before had seen: the next poll lists newer ones, so that polls overlap. */
    pollFromEventId: text('poll_from_event_id'),
    /** The last poll. */
    lookedForEventsAt: instant('looked_for_events_at'),
    /** The connection error that the console shows; null: none. */
    trouble: text('trouble'),
    /** Since when. */
    troubleAt: instant('trouble_at'),
    /** Consecutive failures of the account since the connection error began. */
    failures: integer('failures').notNull().default(0),
    /** Set during a connection error of the whole account: when Stripe is asked again. */
    retryAt: instant('retry_at'),
    /** What was last found of one-time payments, if prices are linked to amounts; null: nothing yet. */
    paymentsRead: json<PaymentsRead>('payments_read'),
    /** When the next message stripe.events-released is due; null: none is on its way. */
    releaseAt: instant('release_at'),
    /** The call budget: every call moves it ahead, and it may be ahead of the clock by a burst (integration/call-budget.ts). */
    callsUntil: instant('calls_until').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Set: deleted; its data is being purged. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    index('stripe_integration_org').on(table.orgId),
    uniqueIndex('stripe_integration_account')
      .on(table.orgId, table.accountId, table.livemode)
      .where(sql`deleted_at IS NULL`),
  ],
);

export const stripeCustomer = sqliteTable(
  'stripe_customer',
  {
    integrationId: text('integration_id').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** cus_… */
    id: text('id').notNull(),
    /** Canonical, as identifiers are compared; as Stripe has it if it cannot be an identifier, and then it is no alias. */
    email: text('email'),
    name: text('name'),
    livemode: flag('livemode').notNull(),
    /** JSON, as in Stripe: workflows read it. */
    metadata: json<Record<string, string>>('metadata').notNull(),
    /** All subscriptions that have not ended. */
    subscriptions: json<readonly StoredSubscription[]>('subscriptions').notNull(),
    /** What is kept of those that ended in the last 13 months; null: nothing. */
    ended: json<readonly EndedSubscription[]>('ended'),
    /** When Stripe created it. */
    createdAt: instant('created_at').notNull(),
    /** When Stripe was read: an older read never replaces a newer one. */
    readAt: instant('read_at').notNull(),
    /** An instant that rises with every change of the customer's facts. */
    factsVersion: integer('facts_version').notNull(),
    /** Since when the customer has this email, as far as known; 0: since before this was recorded. */
    emailSince: instant('email_since').notNull().default(0),
    /** Whether the email is an alias of this customer (domains/customer-facts/customer-names.ts). */
    emailRole: text('email_role').$type<EmailRole>().notNull().default('owner'),
    /** Since when it has the role. */
    emailRoleAt: instant('email_role_at').notNull().default(0),
    /** The application's own user id, by the integration's key (customer-facts/customer-names.ts); null: none that can be one. */
    userId: text('user_id'),
    /** Tombstone: the customer was deleted in Stripe. The row stays, so that a late read does not restore it. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_customer_org').on(table.orgId, table.id),
    index('stripe_customer_email').on(table.orgId, table.email),
    index('stripe_customer_user_id').on(table.orgId, table.userId).where(sql`user_id IS NOT NULL`),
    index('stripe_customer_newest').on(table.integrationId, table.createdAt, table.id),
    // Counting live customers is counting all in an index, minus these few.
    index('stripe_customer_deleted').on(table.integrationId).where(sql`deleted_at IS NOT NULL`),
  ],
);

export const stripeProduct = sqliteTable(
  'stripe_product',
  {
    integrationId: text('integration_id').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** prod_… */
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    /** False: archived in Stripe. */
    active: flag('active').notNull(),
    livemode: flag('livemode').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When Stripe was read. */
    readAt: instant('read_at').notNull(),
    /** Set: deleted in Stripe. */
    deletedAt: instant('deleted_at'),
    /** When its prices were last read; null: never. */
    pricesReadAt: instant('prices_read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_product_newest').on(table.orgId, table.integrationId, table.createdAt, table.id),
  ],
);

/** Active recurring prices of products that are linked to plans, as last read from Stripe: what pricing pages show. */
export const stripePrice = sqliteTable(
  'stripe_price',
  {
    integrationId: text('integration_id').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** price_… */
    id: text('id').notNull(),
    /** prod_… */
    productId: text('product_id').notNull(),
    /** Its nickname in Stripe. */
    name: text('name'),
    /** ISO 4217, in lower case. */
    currency: text('currency').notNull(),
    /** In minor units; null: tiered, metered, or a fraction of a unit. */
    amount: integer('amount'),
    /** How often it is paid: every so many of these. */
    interval: text('interval').$type<PlanPrice['interval']>().notNull(),
    /** 1: each interval. */
    intervalCount: integer('interval_count').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_price_product').on(table.orgId, table.integrationId, table.productId),
  ],
);

/** Which products, or which of their prices, grant a plan. Part of the workspace. */
export const planProduct = sqliteTable(
  'plan_product',
  {
    orgId: partOf('org_id', () => organization.id),
    planId: partOf('plan_id', () => plan.id),
    integrationId: text('integration_id').notNull(),
    /** prod_… */
    productId: text('product_id').notNull(),
    /** price_…: only subscriptions to this price of the product count. Empty: to any. */
    priceId: text('price_id').notNull().default(''),
    /** The price's name when it was linked, for the console. Empty without a price. */
    priceName: text('price_name').notNull().default(''),
    /** Whether the plan's numbers and limits are multiplied by the subscribed quantity. */
    timesQuantity: flag('times_quantity').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.integrationId, table.productId, table.priceId] }),
    index('plan_product_org').on(table.orgId, table.integrationId),
  ],
);

/** What one-time prices give whoever pays them: amounts of a meter, beside the quota of plans. No part of the workspace: it applies at once. */
export const stripeTopUp = sqliteTable(
  'stripe_top_up',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    integrationId: text('integration_id').notNull(),
    /** prod_… */
    productId: text('product_id').notNull(),
    /** price_… */
    priceId: text('price_id').notNull(),
    /** The price's name when it was linked, for the console. */
    priceName: text('price_name').notNull(),
    /** The property. No foreign key: one that was deleted from the workspace may still be deployed. */
    propertyId: text('property_id').notNull(),
    /** For each one that is bought, a whole number. */
    amount: integer('amount').notNull(),
    /** Promotional is drawn before paid. */
    category: text('category').$type<'paid' | 'promotional'>().notNull(),
    /** 0 is drawn from first, 100 last. The plans' quota has 40. */
    priority: integer('priority').notNull(),
    /** Months from the payment; null: without an end. */
    lastsMonths: integer('lasts_months'),
    /** Whether each payment pays what is used above quota and balances then. */
    paysOverage: flag('pays_overage').notNull().default(false),
    /** What was paid before gives nothing. */
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('stripe_top_up_price').on(table.integrationId, table.priceId),
    index('stripe_top_up_org').on(table.orgId),
  ],
);

export const stripeSyncJob = sqliteTable(
  'stripe_sync_job',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    integrationId: text('integration_id').notNull(),
    /** Customers or products. */
    type: text('type').$type<SyncType>().notNull(),
    /** running, or how it ended. */
    status: text('status').$type<SyncStatus>().notNull(),
    /** Objects created before this instant are listed; newer ones arrive by webhook. Epoch seconds. */
    createdBefore: integer('created_before').notNull(),
    /** The last object of the last stored page: where the next page starts. */
    cursor: text('cursor'),
    /** That object's creation time in epoch seconds: where to continue if the object is deleted. */
    cursorCreated: integer('cursor_created'),
    /** Ids listed so far for that second; null: too many to store. */
    cursorPeers: json<readonly string[]>('cursor_peers'),
    /** Pages stored. */
    pages: integer('pages').notNull().default(0),
    /** Objects per page: less after a page that was too heavy for Stripe to list in time. */
    pageSize: integer('page_size').notNull().default(100),
    /** Objects read so far. */
    processed: integer('processed').notNull().default(0),
    /** Objects that could not be read. */
    failed: integer('failed').notNull().default(0),
    /** Why it failed, as the console shows it. */
    error: text('error'),
    /** When it began. */
    startedAt: instant('started_at').notNull(),
    /** Null: the schedule. */
    startedByUserId: text('started_by_user_id'),
    /** When it ended; null: it runs. */
    finishedAt: instant('finished_at'),
    /** The next attempt, after rate limiting or an outage of Stripe. */
    waitsUntil: instant('waits_until'),
  },
  (table) => [
    index('stripe_sync_job_integration').on(table.integrationId, table.type, table.startedAt),
    uniqueIndex('stripe_sync_job_running').on(table.integrationId, table.type).where(sql`status = 'running'`),
  ],
);

/** Received events, each processed once. Kept longer than Stripe retries a delivery. */
export const stripeEvent = sqliteTable(
  'stripe_event',
  {
    integrationId: text('integration_id').notNull(),
    /** evt_… */
    id: text('id').notNull(),
    /** Such as customer.subscription.updated. */
    type: text('type').notNull(),
    /** The customer or product of the event, if any. */
    objectId: text('object_id'),
    /** When Stripe created it. */
    createdAt: instant('created_at').notNull(),
    /** By webhook or by polling. */
    receivedAt: instant('received_at').notNull(),
    /** When it was processed; null: it waits. */
    doneAt: instant('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_event_received').on(table.receivedAt),
    // The events that wait: few, and read in the order in which Stripe created them.
    index('stripe_event_open').on(table.integrationId, table.createdAt).where(sql`done_at IS NULL`),
  ],
);
