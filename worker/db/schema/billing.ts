/**
 * The organisations' own subscriptions to Tessera: what Stripe last said of each, the notices about its monthly usage, and
 * the usage that is billed by the hour.
 */
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { SubscriptionStatus } from '#contracts/billing';
import { flag, instant } from '../columns.ts';
import { organization } from './organisations.ts';

const ofOrganisation = () =>
  text('org_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' });

/** Beside the organisation's row, which holds its plan and Stripe's ids. Made when it is first needed. */
export const organisationBilling = sqliteTable(
  'organisation_billing',
  {
    orgId: text('org_id')
      .primaryKey()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** Raised by every change: what was asked of Stripe before the last one is not written over it. */
    revision: integer('revision').notNull().default(0),
    subscriptionStatus: text('subscription_status').$type<SubscriptionStatus>(),
    currentPeriodEndAt: instant('current_period_end_at'),
    cancelAtPeriodEnd: flag('cancel_at_period_end').notNull().default(false),
    /** The checkout that was opened last; it is opened again while it can still be paid, and its id makes the next one's key. */
    checkoutSessionId: text('checkout_session_id'),
    checkoutExpiresAt: instant('checkout_expires_at'),
    /** Of all API calls ever counted: how many are billed, or were made while they cost nothing. */
    billedCalls: integer('billed_calls').notNull().default(0),
    /** The hour (its start) in which the calls to bill were last counted; null while nothing is billed by usage. */
    countedHourAt: instant('counted_hour_at'),
    /** The month (its start) whose used-up allowance is why access checks are refused; null: they are not, or for another reason. */
    blockedMonthAt: instant('blocked_month_at'),
    /** The month (its start) in which platform staff lifted the block: it is not set again before the next one. */
    waivedMonthAt: instant('waived_month_at'),
  },
  (table) => [
    index('organisation_billing_counted').on(table.countedHourAt).where(sql`counted_hour_at IS NOT NULL`),
    index('organisation_billing_blocked').on(table.blockedMonthAt).where(sql`blocked_month_at IS NOT NULL`),
  ],
);

/** Which notices about a month's usage were given: each once. */
export const usageNotice = sqliteTable(
  'usage_notice',
  {
    orgId: ofOrganisation(),
    /** Start of the month. */
    monthAt: instant('month_at').notNull(),
    level: text('level').$type<'near' | 'reached'>().notNull(),
    /** API calls at that moment. */
    total: integer('total').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.orgId, table.monthAt, table.level] })],
);

/** What goes to Stripe's meter, fixed before it is first sent: whatever happens then, the same is sent again. */
export const billableUsage = sqliteTable(
  'billable_usage',
  {
    orgId: ofOrganisation(),
    /** Start of the hour that it is counted in, or of a later one that was free; with the organisation the identifier at Stripe. */
    hourAt: instant('hour_at').notNull(),
    stripeCustomerId: text('stripe_customer_id').notNull(),
    quantity: integer('quantity').notNull(),
    /** The instant that Stripe bills it at. */
    usedAt: instant('used_at').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Since then it is not known whether Stripe has it: an answer was lost. */
    uncertainSince: instant('uncertain_since'),
    sentAt: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    /** Null once it is sent. */
    nextTryAt: instant('next_try_at'),
    /** What the last try failed with. */
    error: text('error'),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.hourAt] }),
    index('billable_usage_due').on(table.nextTryAt).where(sql`next_try_at IS NOT NULL`),
  ],
);
