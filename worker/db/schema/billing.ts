/**
 * Organisations' own Tessera subscriptions: the state last read from Stripe, usage notices, and hourly billable
 * usage.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SubscriptionStatus } from '#contracts/console/billing';
import { flag, instant, partOf } from './columns.ts';
import { organization } from './organisations.ts';

/** Complements the organisation's row, which has its plan and Stripe ids. Inserted on first use. */
export const organisationBilling = sqliteTable(
  'organisation_billing',
  {
    orgId: text('org_id')
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** Incremented by every change: a response that Stripe gave before the last change is discarded. */
    revision: integer('revision').notNull().default(0),
    /** As last read from Stripe; null: no subscription. */
    subscriptionStatus: text('subscription_status').$type<SubscriptionStatus>(),
    /** Since when the subscription is past due, as first read; null: it is not. */
    pastDueSince: instant('past_due_since'),
    /** When the schedule last read the subscription. */
    followedAt: instant('followed_at'),
    /** When the paid period began. */
    currentPeriodStartAt: instant('current_period_start_at'),
    /** When the paid period ends. */
    currentPeriodEndAt: instant('current_period_end_at'),
    /** Whether the subscription ends with it. */
    cancelAtPeriodEnd: flag('cancel_at_period_end').notNull().default(false),
    /** The last opened checkout. Its id is part of the next one's idempotency key. */
    checkoutSessionId: text('checkout_session_id'),
    /** Not used: `checkout_session` has the expiry. */
    checkoutExpiresAt: instant('checkout_expires_at'),
    /** API calls that are billed or were free, of all calls ever counted. */
    billedCalls: integer('billed_calls').notNull().default(0),
    /** Start of the hour in which billable calls were last counted; null while usage is not billed. */
    countedHourAt: instant('counted_hour_at'),
    /** Start of the month of the usage block; null: not blocked, or for another reason. */
    blockedMonthAt: instant('blocked_month_at'),
    /** Start of the month in which platform staff lifted the block; it is not set again that month. */
    waivedMonthAt: instant('waived_month_at'),
    /** The month of `usedPercent`. */
    usedMonthAt: instant('used_month_at'),
    /** The share of the month's allowance that is used up, in the steps at which public keys can be capped. */
    usedPercent: integer('used_percent'),
    /** When Grow was last lost: the plan fell to Build, or the subscription that was on hold ended. */
    fellAt: instant('fell_at'),
    /** Until then Build's allowance refuses nothing; null: no grace period, or it has been settled. */
    graceUntil: instant('grace_until'),
    /** The state of the subscription that owners and admins were last mailed about, with its instant; null: none. */
    notice: text('notice'),
  },
  (table) => [
    index('organisation_billing_counted').on(table.countedHourAt).where(sql`counted_hour_at IS NOT NULL`),
    index('organisation_billing_blocked').on(table.blockedMonthAt).where(sql`blocked_month_at IS NOT NULL`),
    index('organisation_billing_grace').on(table.graceUntil).where(sql`grace_until IS NOT NULL`),
  ],
);

/** Checkouts that Tessera opened in Stripe. A session id of the return page is looked up here before Stripe is called. */
export const checkoutSession = sqliteTable(
  'checkout_session',
  {
    /** cs_… */
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    /** When it was opened. */
    openedAt: instant('opened_at').notNull(),
    /** When Stripe lets it expire. */
    expiresAt: instant('expires_at').notNull(),
    /** When the schedule last read it. */
    followedAt: instant('followed_at'),
    /** When it was read as paid and applied, expired or missing; null: it may still be paid. */
    settledAt: instant('settled_at'),
  },
  (table) => [
    index('checkout_session_org').on(table.orgId),
    index('checkout_session_unsettled').on(table.followedAt).where(sql`settled_at IS NULL`),
  ],
);

/** Notices already sent about a month's usage. */
export const usageNotice = sqliteTable(
  'usage_notice',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Start of the month. */
    monthAt: instant('month_at').notNull(),
    /** near: 80% of the allowance; reached: all of it. */
    level: text('level').$type<'near' | 'reached'>().notNull(),
    /** API calls at that time. */
    total: integer('total').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.monthAt, table.level] })],
);

/** Usage to send to Stripe's meter. Recorded before the first attempt and immutable, so every retry sends the same. */
export const billableUsage = sqliteTable(
  'billable_usage',
  {
    orgId: partOf('org_id', () => organization.id),
    /** Start of the counted hour, or of a later free one; with the organisation, the identifier in Stripe. */
    hourAt: instant('hour_at').notNull(),
    /** Whom Stripe bills. */
    stripeCustomerId: text('stripe_customer_id').notNull(),
    /** API calls. */
    quantity: integer('quantity').notNull(),
    /** The instant at which Stripe bills it. */
    usedAt: instant('used_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Since then the outcome is unknown: a response was lost. */
    uncertainSince: instant('uncertain_since'),
    /** When Stripe accepted it; null: not yet. */
    sentAt: instant('sent_at'),
    /** Attempts so far. */
    attempts: integer('attempts').notNull().default(0),
    /** Null once it is sent. */
    nextTryAt: instant('next_try_at'),
    /** The last attempt's error. */
    error: text('error'),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.hourAt] }),
    index('billable_usage_due').on(table.nextTryAt).where(sql`next_try_at IS NOT NULL`),
  ],
);
