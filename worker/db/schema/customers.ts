/** Customers of an organisation: the list of all that are known, manual entries, and what changed in Stripe. */

import { type Column, type SQL, sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ActingKey } from '#contracts/console/api-keys';
import type { StoredSubscription } from '#contracts/console/stripe';
import type { BalanceCategory } from '#contracts/internal/customer-facts';
import type { PropertyValue } from '#contracts/public/values';
import type { NearestLimit } from '#engine/metering/nearest-limit';
import { artifact } from './artifacts.ts';
import { flag, instant, json, partOf } from './columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

/**
 * Facts versions of customers with manual entries, and of emails that a Stripe customer once had. The row stays after the
 * last entry is deleted, so that the version only rises.
 */
export const customer = sqliteTable(
  'customer',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Canonical. */
    identifier: text('identifier').notNull(),
    /** An instant that rises with every change (next-facts-version.ts). */
    factsVersion: integer('facts_version').notNull().default(1),
    /** When the first manual entry was made; 0: none. */
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** The identifier is a former spelling of this one, canonical: entries have moved there, and ledgers merge usage into it. */
    movedTo: text('moved_to'),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.identifier] })],
);

/** Where a column says when something ends: it has no end. Later than any instant. */
export const NO_END = 9e15;

const manualEntry = {
  id: text('id').primaryKey(),
  orgId: partOf('org_id', () => organization.id),
  /** Null: all environments. */
  environmentId: text('environment_id').references(() => environment.id, { onDelete: 'cascade' }),
  /** Canonical. */
  customerIdentifier: text('customer_identifier').notNull(),
  /** As typed by the person who made the entry. */
  reason: text('reason').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Null: no person made the entry. */
  createdByUserId: text('created_by_user_id'),
  /** JSON: the API key that made the entry, with its name at that time; null: none did. */
  createdByKey: json<ActingKey>('created_by_key'),
};

/** No foreign key to the plan: a plan deleted from the workspace may still be deployed. */
export const customerGrant = sqliteTable(
  'customer_grant',
  {
    ...manualEntry,
    /** Expiry; null: does not expire. */
    until: instant('until'),
    /** The plan. */
    planId: text('plan_id').notNull(),
    /** When billing windows of the plan begin. Null: with the grant, which an earlier release wrote (customers/entries/renew-grants.ts). */
    anchorAt: instant('anchor_at'),
  },
  (table) => [
    uniqueIndex('customer_grant_plan').on(
      table.orgId,
      table.customerIdentifier,
      table.planId,
      table.environmentId,
    ),
    uniqueIndex('customer_grant_everywhere')
      .on(table.orgId, table.customerIdentifier, table.planId)
      .where(sql`environment_id IS NULL`),
    index('customer_grant_environment').on(table.orgId, table.environmentId),
    index('customer_grant_of_plan').on(table.orgId, table.planId, table.customerIdentifier),
    // Those to be renewed: soon none.
    index('customer_grant_unanchored').on(table.orgId).where(sql`anchor_at IS NULL`),
  ],
);

/**
 * Plans that were deleted from the workspace while customers had grants of them. The grants end when no version contains the plan
 * (customers/entries/end-grants-of-deleted-plans.ts).
 */
export const deletedPlan = sqliteTable(
  'deleted_plan',
  {
    orgId: partOf('org_id', () => organization.id),
    planId: text('plan_id').notNull(),
    /** An artifact that contains the plan. Null: one is to be searched, as after the deletion of that artifact. */
    keptBy: text('kept_by').references(() => artifact.id, { onDelete: 'set null' }),
    /** Artifacts with this id or a later one were read and do not contain the plan. Null: none was read. */
    searchedTo: text('searched_to'),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.planId] }),
    index('deleted_plan_kept_by').on(table.keptBy),
  ],
);

/** No foreign key to the property: a property deleted from the workspace may still be deployed. */
export const customerOverride = sqliteTable(
  'customer_override',
  {
    ...manualEntry,
    /** Expiry; null: does not expire. */
    until: instant('until'),
    /** The property. */
    propertyId: text('property_id').notNull(),
    /** JSON. */
    value: json<PropertyValue>('value').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('customer_override_property').on(
      table.orgId,
      table.customerIdentifier,
      table.propertyId,
      table.environmentId,
    ),
    uniqueIndex('customer_override_everywhere')
      .on(table.orgId, table.customerIdentifier, table.propertyId)
      .where(sql`environment_id IS NULL`),
    index('customer_override_environment').on(table.orgId, table.environmentId),
  ],
);

/** SQL: whether a balance may be drawn from. As the partial indexes have it. @param closedAt the column */
export function isUnclosed(closedAt: SQL | Column): SQL {
  return sql`coalesce(${closedAt}, 0) = 0`;
}

/** `closedAt` of a balance that is not closed. */
export function unclosed({ entityId }: { readonly entityId: string | null }): number | null {
  return entityId === null ? null : 0;
}

/**
 * Amounts of a metered property beside the plans' quota, as bought or given. What was drawn from one is counted by the ledgers. Every change
 * raises the customer's facts version, as that of a grant does. No foreign key to the property: a property deleted from the workspace may
 * still be deployed.
 */
export const customerBalance = sqliteTable(
  'customer_balance',
  {
    ...manualEntry,
    /** The application's own id, unique among those of the customer in the environment; null: none. */
    name: text('name'),
    /** The property. */
    propertyId: text('property_id').notNull(),
    /** As given, a whole number. */
    amount: integer('amount').notNull(),
    /** How much of it a refund, a lost dispute or a person took back. */
    takenBack: integer('taken_back').notNull().default(0),
    /** Promotional is drawn before paid. */
    category: text('category').$type<BalanceCategory>().notNull(),
    /** JSON: what it comes from, and what became of that. */
    source: json<BalanceSource>('source').notNull(),
    /** Integration whose account was paid; null: no payment made it. No foreign key: what was bought survives a disconnected account. */
    integrationId: text('integration_id'),
    /** Of the payment. Null: no payment made it. Paid in test mode, it does not count in live environments. */
    livemode: flag('livemode'),
    /** Stripe's id of the payment or invoice; null: no payment made it. */
    paymentId: text('payment_id'),
    /** What charged it: disputes name it. Null: nothing did. */
    paymentIntent: text('payment_intent'),
    /** Its line, of those that make a balance each; empty: it is for the whole payment. */
    paymentLine: text('payment_line').notNull().default(''),
    /** JSON: what was paid for it; null: unknown, or nothing. */
    costBasis: json<BalanceCost>('cost_basis'),
    /** It can be drawn from since then. */
    startsAt: instant('starts_at').notNull(),
    /** Until then; NO_END: for ever. */
    endsAt: instant('ends_at').notNull().default(NO_END),
    /** 0 is drawn from first, 100 last. The plans' quota has 40. */
    priority: integer('priority').notNull().default(50),
    /** Whether it counts only while the customer has a plan that not everyone has and that sets the property. */
    needsPlan: flag('needs_plan').notNull().default(false),
    /** Whether nothing is drawn from it for now, as while a payment is disputed. */
    isFrozen: flag('is_frozen').notNull().default(false),
    /** Whether it pays what is used above quota and balances when it is given. */
    paysOverage: flag('pays_overage').notNull().default(false),
    /** When it has paid it, in all environments. Null: not yet, or it pays none. */
    overagePaidAt: instant('overage_paid_at'),
    /**
     * When it was found spent, or ended a day ago: it is history, and not loaded. Null: it may be drawn from. 0: an entity's may; the releases
     * before 1.3.0, which would give it to the whole customer, take it for history.
     */
    closedAt: instant('closed_at'),
    /** One of the customer's entities, whose calls alone draw from it; null: the customer's own. */
    entityId: text('entity_id'),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('customer_balance_name').on(
      table.orgId,
      table.customerIdentifier,
      table.name,
      table.environmentId,
    ),
    uniqueIndex('customer_balance_everywhere')
      .on(table.orgId, table.customerIdentifier, table.name)
      .where(sql`environment_id IS NULL`),
    uniqueIndex('customer_balance_payment').on(table.integrationId, table.paymentId, table.paymentLine),
    index('customer_balance_environment').on(table.orgId, table.environmentId),
    index('customer_balance_intent')
      .on(table.integrationId, table.paymentIntent)
      .where(sql`payment_intent IS NOT NULL`),
    // What facts are loaded from: those that end last come first.
    index('customer_balance_unclosed')
      .on(table.orgId, table.customerIdentifier, table.endsAt)
      .where(isUnclosed(sql`closed_at`)),
    // What metrics count.
    index('customer_balance_given').on(table.orgId, table.createdAt),
    index('customer_balance_ended').on(table.orgId, table.endsAt).where(sql`ends_at < 9000000000000000`),
    // What the schedule closes.
    index('customer_balance_ending')
      .on(table.endsAt)
      .where(sql`${isUnclosed(sql`closed_at`)} AND ends_at < 9000000000000000`),
  ],
);

/** What was given to a customer by its identifier: what it has without a subscription. */
export type EntryTable = typeof customerGrant | typeof customerOverride | typeof customerBalance;

/** The writer adds fields, such as what was refunded or disputed. */
export interface BalanceSource {
  readonly kind: 'top-up' | 'api' | 'manual';
  /** How much refunds and a lost dispute have asked back until now, whether it was left or not. */
  readonly asked?: number;
  /** Whether a dispute froze it: a person's freeze stays. */
  readonly isDisputed?: true;
}

export interface BalanceCost {
  /** ISO 4217, in lower case. */
  readonly currency: string;
  readonly amountMinor: number;
}

/**
 * Customers stored by earlier releases whose facts this one derives otherwise: identifiers that may have another canonical spelling,
 * and ids in several accounts. The schedule works through them (customers/names/renew-identifiers.ts).
 */
export const customerRenewal = sqliteTable(
  'customer_renewal',
  {
    orgId: partOf('org_id', () => organization.id),
    /** As stored by the earlier release. */
    identifier: text('identifier').notNull(),
    /** An identifier with another spelling, or an id in several accounts. */
    reason: text('reason').$type<'spelling' | 'accounts'>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.identifier, table.reason] })],
);

/**
 * Customers that an application created by API, in one environment each: the list of known customers belongs to the organisation and
 * follows from this table, too. See worker/domains/customers/README.md, "Customers created by API".
 */
export const provisionedCustomer = sqliteTable(
  'provisioned_customer',
  {
    environmentId: partOf('environment_id', () => environment.id),
    /** Canonical. */
    identifier: text('identifier').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** Null: without a name. */
    name: text('name'),
    /** Canonical; an alias of the customer in the environment. Null without one, and where the identifier is the email. */
    email: text('email'),
    /** The application's own user id, an alias of the customer in the environment; null without one. */
    userId: text('user_id'),
    /** Counts up in the environment, so that limits need not count rows. */
    serial: integer('serial').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The last change of name, email or user id. */
    updatedAt: instant('updated_at').notNull(),
    /** JSON: the API key that created it, with its name at that time. */
    createdByKey: json<ActingKey>('created_by_key').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.identifier] }),
    uniqueIndex('provisioned_customer_email').on(table.environmentId, table.email),
    uniqueIndex('provisioned_customer_user_id').on(table.environmentId, table.userId),
    uniqueIndex('provisioned_customer_serial').on(table.environmentId, table.serial),
    index('provisioned_customer_org').on(table.orgId, table.identifier),
    index('provisioned_customer_email_org').on(table.orgId, table.email).where(sql`email IS NOT NULL`),
    index('provisioned_customer_user_id_org').on(table.orgId, table.userId).where(sql`user_id IS NOT NULL`),
  ],
);

/**
 * Which Stripe customers somebody said to be a customer that was created by API, in its environment: one of each account and mode. Metadata
 * whose value is the customer's id says the same without a row. See docs/names.md, "One customer, several sources".
 */
export const customerSource = sqliteTable(
  'customer_source',
  {
    environmentId: partOf('environment_id', () => environment.id),
    /** Canonical: the customer that was created by API. */
    identifier: text('identifier').notNull(),
    integrationId: text('integration_id').notNull(),
    /** Of the Stripe customer. */
    livemode: flag('livemode').notNull(),
    /** cus_… */
    customerId: text('customer_id').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** When it was said. */
    joinedAt: instant('joined_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.environmentId, table.identifier, table.integrationId, table.livemode],
    }),
    uniqueIndex('customer_source_customer').on(table.environmentId, table.integrationId, table.customerId),
    index('customer_source_org').on(table.orgId, table.customerId),
    index('customer_source_identifier').on(table.orgId, table.identifier),
  ],
);

/**
 * Who is joined, as the audit log said last: a Stripe customer that is a created customer in an environment, by metadata or because somebody
 * said so. Written only by customer-facts/record-joins.ts, which logs each change of it.
 */
export const customerJoin = sqliteTable(
  'customer_join',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Canonical: the created customer. */
    identifier: text('identifier').notNull(),
    environmentId: text('environment_id').notNull(),
    integrationId: text('integration_id').notNull(),
    /** cus_… */
    customerId: text('customer_id').notNull(),
    /** When it was logged; null: an earlier release did not log it. */
    joinedAt: instant('joined_at'),
  },
  (table) => [
    primaryKey({
      columns: [table.orgId, table.identifier, table.environmentId, table.integrationId, table.customerId],
    }),
  ],
);

/**
 * What was answered to a change of a customer by API under an idempotency key. Committed with the change, and deleted a day
 * later by the schedule (customers/provisioning/receipts.ts).
 */
export const provisioningReceipt = sqliteTable(
  'provisioning_receipt',
  {
    environmentId: partOf('environment_id', () => environment.id),
    /** Canonical: the customer. */
    customer: text('customer').notNull(),
    /** The idempotency key, as it was sent. */
    key: text('key').notNull(),
    orgId: partOf('org_id', () => organization.id),
    /** SHA-256 of the change. */
    requestHash: text('request_hash').notNull(),
    /** JSON: the answer; null: the ledger has it, under the same key. */
    answer: json<object>('answer'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.customer, table.key] }),
    index('provisioning_receipt_age').on(table.createdAt),
    index('provisioning_receipt_org').on(table.orgId),
  ],
);

/**
 * Changes of customers by API, which count as API calls: how many an environment had on a day (UTC). A trigger counts them with
 * their audit rows, and the schedule reports the totals to the event stream (customers/provisioning/report-changes.ts).
 */
export const countedChange = sqliteTable(
  'counted_change',
  {
    orgId: text('org_id').notNull(),
    environmentId: text('environment_id').notNull(),
    /** Start of the day. */
    dayAt: instant('day_at').notNull(),
    /** Changes of the day so far. */
    total: integer('total').notNull(),
    /** How many of them the event stream has counted. */
    reported: integer('reported').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.environmentId, table.dayAt] }),
    index('counted_change_unreported').on(table.orgId).where(sql`total > reported`),
  ],
);

/**
 * Every known customer, one row each: those of connected Stripe accounts, those with grants or overrides, and those that
 * called. An email that belongs to a Stripe customer has no row of its own. All but the last three columns follow from other
 * tables (customer-facts/known-customers.ts). See worker/domains/customers/README.md, "The customers table".
 */
export const knownCustomer = sqliteTable(
  'known_customer',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Canonical. */
    identifier: text('identifier').notNull(),
    /** Integration of the connected Stripe account; null: no account has the customer. */
    integrationId: text('integration_id'),
    livemode: flag('livemode'),
    name: text('name'),
    /** As in Stripe; null without one. */
    email: text('email'),
    /** Created in Stripe, otherwise first known. */
    createdAt: instant('created_at').notNull(),
    /** Whether a subscription is past due. */
    isPastDue: flag('is_past_due').notNull().default(false),
    /** When the last grant ends; 0: there is none. */
    grantedUntil: instant('granted_until').notNull().default(0),
    /** When the last override ends; 0: there is none. */
    overriddenUntil: instant('overridden_until').notNull().default(0),
    /** Sorted; triggers copy them to `customer_word` (engine/identity/search-words.ts). */
    words: json<readonly string[]>('words').notNull().default([]),
    /** The last call, rounded down by what recording costs; 0: never. */
    lastSeenAt: instant('last_seen_at').notNull().default(0),
    /** The meter nearest its limit when last read, if at least 80% was used; null: none. */
    nearest: json<NearestLimit>('nearest'),
    /** Its used share; 0: none. */
    nearShare: real('near_share').notNull().default(0),
  },
  (table) => {
    const recent = [table.orgId, table.lastSeenAt, table.createdAt, table.identifier] as const;
    return [
      primaryKey({ columns: [table.orgId, table.identifier] }),
      index('known_customer_recent').on(...recent),
      index('known_customer_granted')
        .on(...recent)
        .where(sql`granted_until > 0`),
      index('known_customer_overridden')
        .on(...recent)
        .where(sql`overridden_until > 0`),
      index('known_customer_past_due')
        .on(...recent)
        .where(sql`is_past_due = 1`),
      index('known_customer_near')
        .on(table.orgId, table.nearShare, table.identifier)
        .where(sql`near_share > 0`),
      // Few rows each: what the schedule and the consumer of sightings clean up.
      index('known_customer_grant_end')
        .on(table.grantedUntil)
        .where(sql`granted_until > 0 AND granted_until < 9000000000000000`),
      index('known_customer_override_end')
        .on(table.overriddenUntil)
        .where(sql`overridden_until > 0 AND overridden_until < 9000000000000000`),
      index('known_customer_only_seen').on(table.orgId, table.lastSeenAt).where(sql`integration_id IS NULL`),
    ];
  },
);

/** Index of `known_customer.words`. Written by triggers only. */
export const customerWord = sqliteTable(
  'customer_word',
  {
    orgId: text('org_id').notNull(),
    /** Folded (engine/text/fold-text.ts). */
    word: text('word').notNull(),
    /** The customer that has the word. */
    identifier: text('identifier').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.word, table.identifier] })],
);

/**
 * One row while the list of customers is derived again, once a day, after a migration, and after an environment was deleted
 * (customers/list/renew-known-customers.ts): the last customer that was looked at. None: all were.
 */
export const customerWordRenewal = sqliteTable('customer_word_renewal', {
  id: integer('id').primaryKey(),
  /** Its organisation. */
  afterOrgId: text('after_org_id').notNull(),
  /** Its identifier. */
  afterIdentifier: text('after_identifier').notNull(),
});

/**
 * What changed in a Stripe customer's subscriptions between two reads. Written with the read, and kept until the integration or the
 * organisation is deleted: it is the customer's history.
 */
export const subscriptionChange = sqliteTable(
  'subscription_change',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    integrationId: text('integration_id').notNull(),
    /** cus_… */
    customerId: text('customer_id').notNull(),
    /** sub_… */
    subscriptionId: text('subscription_id').notNull(),
    /** JSON; null: the subscription is new. */
    before: json<StoredSubscription>('before'),
    /** JSON; null: the subscription has ended. */
    after: json<StoredSubscription>('after'),
    /** When Stripe was read. */
    at: instant('at').notNull(),
  },
  (table) => [
    index('subscription_change_customer').on(table.orgId, table.customerId, table.at, table.id),
    index('subscription_change_integration').on(table.integrationId),
  ],
);
