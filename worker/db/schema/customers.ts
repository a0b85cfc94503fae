/** What is said of an organisation's customers by hand: plans granted to them, and properties overridden for them. */

import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PropertyValue } from '#contracts/values';
import { instant, json } from '../columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

/**
 * Customers of whom something was ever said, so that what is told of them has a version that only rises; and addresses that
 * a Stripe customer had once.
 */
export const customer = sqliteTable(
  'customer',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** Canonical. */
    identifier: text('identifier').notNull(),
    /** An instant that rises with every change (next-facts-version). */
    factsVersion: integer('facts_version').notNull().default(1),
    /** When something was first said of them by hand; 0: not yet. */
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.identifier] }),
    index('customer_recent').on(table.orgId, table.createdAt, table.identifier),
  ],
);

const said = {
  id: text('id').primaryKey(),
  orgId: text('org_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' }),
  /** Null: in all environments. */
  environmentId: text('environment_id').references(() => environment.id, { onDelete: 'cascade' }),
  customerIdentifier: text('customer_identifier').notNull(),
  reason: text('reason').notNull(),
  /** From then on it says nothing; null: it does not end. */
  until: instant('until'),
  createdAt: instant('created_at').notNull(),
  createdByUserId: text('created_by_user_id'),
};

/** The plan may be gone from the workspace and still stand in what is deployed, so nothing ties the row to it. */
export const customerGrant = sqliteTable(
  'customer_grant',
  { ...said, planId: text('plan_id').notNull() },
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
  ],
);

/** As of plans: the property may be gone. */
export const customerOverride = sqliteTable(
  'customer_override',
  {
    ...said,
    propertyId: text('property_id').notNull(),
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
