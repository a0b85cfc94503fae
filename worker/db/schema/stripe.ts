/**
 * What an organisation's Stripe accounts say, as it was last read from Stripe: the integrations with their sealed keys,
 * customers with their subscriptions, products, which plans those grant, sync jobs and webhook events.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { StoredSubscription, SyncStatus, SyncType } from '#contracts/stripe';
import { flag, instant, json } from '../columns.ts';
import { organization } from './organisations.ts';
import { plan } from './plans.ts';

const ofOrganisation = () =>
  text('org_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' });

export const stripeIntegration = sqliteTable(
  'stripe_integration',
  {
    /** Part of the webhook's address, so it is not to be guessed. */
    id: text('id').primaryKey(),
    orgId: ofOrganisation(),
    name: text('name').notNull(),
    description: text('description'),
    /** Stripe's id of the account that the key belongs to. */
    accountId: text('account_id').notNull(),
    livemode: flag('livemode').notNull(),
    /** Sealed (platform/encryption); null once the integration is deleted. */
    secretKey: text('secret_key'),
    /** What the console shows of the key: its kind and its last four characters. */
    maskedKey: text('masked_key').notNull(),
    /** Stripe's id of the endpoint, where it was made through the API. */
    webhookEndpointId: text('webhook_endpoint_id'),
    /** Sealed signing secret; null: there is no webhook yet. */
    webhookSecret: text('webhook_secret'),
    /** Sealed: the one before, believed until `previousWebhookSecretUntil`. */
    previousWebhookSecret: text('previous_webhook_secret'),
    previousWebhookSecretUntil: instant('previous_webhook_secret_until'),
    webhookManuallyAdded: flag('webhook_manually_added').notNull().default(false),
    initialSyncSkipped: flag('initial_sync_skipped').notNull().default(false),
    quickstartWaitForEventSkipped: flag('quickstart_wait_for_event_skipped').notNull().default(false),
    quickStart: flag('quick_start').notNull().default(false),
    firstEventAt: instant('first_event_at'),
    lastEventAt: instant('last_event_at'),
    /** Stripe's id of the newest event that the look for missed ones has seen. */
    lastSeenEventId: text('last_seen_event_id'),
    lookedForEventsAt: instant('looked_for_events_at'),
    /** What Stripe last refused with, in words for the console; null: all is well. */
    trouble: text('trouble'),
    troubleAt: instant('trouble_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Set: nobody sees it any more, and what was read through it is being removed. */
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
    orgId: ofOrganisation(),
    /** cus_… */
    id: text('id').notNull(),
    /** Lower-case, as identifiers are compared; null without one. */
    email: text('email'),
    name: text('name'),
    livemode: flag('livemode').notNull(),
    metadata: json<Record<string, string>>('metadata').notNull(),
    /** All that have not ended. */
    subscriptions: json<readonly StoredSubscription[]>('subscriptions').notNull(),
    /** When Stripe made it. */
    createdAt: instant('created_at').notNull(),
    /** When it was asked for: what was read earlier never takes the place of what was read later. */
    readAt: instant('read_at').notNull(),
    /** An instant that rises with every change that ledgers must know (load-customer-facts). */
    factsVersion: integer('facts_version').notNull(),
    /** Stripe deleted it. The row stays, so that what comes late does not bring it back. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_customer_org').on(table.orgId, table.id),
    index('stripe_customer_email').on(table.orgId, table.email),
    index('stripe_customer_newest').on(table.integrationId, table.createdAt, table.id),
    // Counting who is there is counting all, in an index, less these few.
    index('stripe_customer_deleted').on(table.integrationId).where(sql`deleted_at IS NOT NULL`),
  ],
);

export const stripeProduct = sqliteTable(
  'stripe_product',
  {
    integrationId: text('integration_id').notNull(),
    orgId: ofOrganisation(),
    /** prod_… */
    id: text('id').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    /** Stripe's archived products are not active. */
    active: flag('active').notNull(),
    livemode: flag('livemode').notNull(),
    createdAt: instant('created_at').notNull(),
    readAt: instant('read_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_product_newest').on(table.orgId, table.integrationId, table.createdAt, table.id),
  ],
);

/** Which products grant a plan. Part of the workspace. */
export const planProduct = sqliteTable(
  'plan_product',
  {
    orgId: ofOrganisation(),
    planId: text('plan_id')
      .notNull()
      .references(() => plan.id, { onDelete: 'cascade' }),
    integrationId: text('integration_id').notNull(),
    productId: text('product_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.integrationId, table.productId] }),
    index('plan_product_org').on(table.orgId, table.integrationId),
  ],
);

export const stripeSyncJob = sqliteTable(
  'stripe_sync_job',
  {
    id: text('id').primaryKey(),
    orgId: ofOrganisation(),
    integrationId: text('integration_id').notNull(),
    type: text('type').$type<SyncType>().notNull(),
    status: text('status').$type<SyncStatus>().notNull(),
    /** Objects made before this instant are listed; what is newer comes by webhook. Epoch seconds, as Stripe counts. */
    createdBefore: integer('created_before').notNull(),
    /** The last object of the last page that was applied: where the next page starts. */
    cursor: text('cursor'),
    /** Stripe's instant of that object, in epoch seconds: where to go on if the object is gone by then. */
    cursorCreated: integer('cursor_created'),
    /** Ids of the objects of that second that were listed so far; null: too many to be kept. */
    cursorPeers: json<readonly string[]>('cursor_peers'),
    pages: integer('pages').notNull().default(0),
    processed: integer('processed').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    error: text('error'),
    startedAt: instant('started_at').notNull(),
    startedByUserId: text('started_by_user_id'),
    finishedAt: instant('finished_at'),
    /** Stripe asked for a pause, or could not be reached: the next try. */
    waitsUntil: instant('waits_until'),
  },
  (table) => [
    index('stripe_sync_job_integration').on(table.integrationId, table.type, table.startedAt),
    uniqueIndex('stripe_sync_job_running').on(table.integrationId, table.type).where(sql`status = 'running'`),
  ],
);

/** Webhook events that were received: each is worked on once. Kept for longer than Stripe would send it again. */
export const stripeEvent = sqliteTable(
  'stripe_event',
  {
    integrationId: text('integration_id').notNull(),
    /** evt_… */
    id: text('id').notNull(),
    type: text('type').notNull(),
    /** The customer or product that it is about, where it is about one. */
    objectId: text('object_id'),
    /** When Stripe made it. */
    createdAt: instant('created_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    doneAt: instant('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.id] }),
    index('stripe_event_received').on(table.receivedAt),
  ],
);
