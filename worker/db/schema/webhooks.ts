/** Webhooks: where an organisation is told what happens, and what was sent. */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { DeliveryState, DisabledBecause } from '#contracts/console/webhooks';
import type { CustomerFacts } from '#contracts/internal/customer-facts';
import type { ChosenWebhookType, WebhookType } from '#contracts/public/webhooks';
import { instant, json, partOf } from './columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

/** An address, its secrets and what it chose. */
export const webhook = sqliteTable(
  'webhook',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    /** Where events are sent. */
    url: text('url').notNull(),
    /** For people. */
    description: text('description'),
    /** JSON; null: all, also later ones. */
    environmentIds: json<readonly string[]>('environment_ids'),
    /** JSON; null: all, also later ones. */
    types: json<readonly ChosenWebhookType[]>('types'),
    /** Encrypted. */
    sealedSecret: text('sealed_secret').notNull(),
    /** Encrypted; it signs as well until `formerUntil`. */
    sealedFormer: text('sealed_former'),
    /** When the former secret no longer signs. */
    formerUntil: instant('former_until'),
    /** Null: it is enabled. */
    disabledBecause: text('disabled_because').$type<DisabledBecause>(),
    /** The first attempt that failed since the last delivery. */
    failingSince: instant('failing_since'),
    /** Until when one invocation alone sends to it. */
    leasedUntil: instant('leased_until').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('webhook_org').on(table.orgId)],
);

/** What webhooks were told last of a customer in an environment: what the next change is compared with. */
export const webhookCustomer = sqliteTable(
  'webhook_customer',
  {
    /** Where it is true. */
    environmentId: partOf('environment_id', () => environment.id),
    /** Canonical. */
    customer: text('customer').notNull(),
    orgId: text('org_id').notNull(),
    /** JSON: those that were told of. */
    facts: json<CustomerFacts>('facts').notNull(),
    /** Of the facts. */
    version: integer('version').notNull(),
    /** When they were compared. */
    toldAt: instant('told_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.customer] }),
    index('webhook_customer_org').on(table.orgId),
  ],
);

/** An event for one webhook: what is to be sent, and how it went. Kept for 30 days. */
export const webhookDelivery = sqliteTable(
  'webhook_delivery',
  {
    /** To whom. */
    webhookId: partOf('webhook_id', () => webhook.id),
    /** The same for every webhook. */
    eventId: text('event_id').notNull(),
    orgId: text('org_id').notNull(),
    /** What happened. */
    type: text('type').$type<WebhookType>().notNull(),
    /** Where; null: in no environment. */
    environmentId: text('environment_id'),
    /** As it is sent. */
    body: text('body').notNull(),
    /** Whether it is still to be sent. */
    state: text('state').$type<DeliveryState>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** Since it was created or resent. */
    attempts: integer('attempts').notNull().default(0),
    /** Null: no attempt follows. */
    nextAt: instant('next_at'),
    /** The last attempt. */
    lastAt: instant('last_at'),
    /** Its HTTP status; null: no answer came. */
    status: integer('status'),
    /** How long it took, in milliseconds. */
    tookMs: integer('took_ms'),
    /** The first kilobyte of its answer. */
    answer: text('answer'),
    /** For people: why it was no success. */
    problem: text('problem'),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('webhook_delivery_due').on(table.nextAt).where(sql`next_at IS NOT NULL`),
    index('webhook_delivery_created').on(table.createdAt),
    index('webhook_delivery_state').on(table.webhookId, table.state, table.eventId),
    index('webhook_delivery_org').on(table.orgId),
  ],
);
