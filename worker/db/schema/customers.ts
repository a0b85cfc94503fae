/** Manual entries for an organisation's customers: granted plans and property overrides. */

import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PropertyValue } from '#contracts/public/values';
import { instant, json } from './columns.ts';
import { environment } from './environments.ts';
import { organization } from './organisations.ts';

/**
 * Facts versions of customers with manual entries, and of emails that a Stripe customer once had. The row stays after the
 * last entry is deleted, so that the version only rises.
 */
export const customer = sqliteTable(
  'customer',
  {
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    /** Canonical. */
    identifier: text('identifier').notNull(),
    /** An instant that rises with every change (next-facts-version.ts). */
    factsVersion: integer('facts_version').notNull().default(1),
    /** When the first manual entry was made; 0: none. */
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orgId, table.identifier] }),
    index('customer_recent').on(table.orgId, table.createdAt, table.identifier),
  ],
);

const manualEntry = {
  id: text('id').primaryKey(),
  orgId: text('org_id')
    .notNull()
    .references(() => organization.id, { onDelete: 'cascade' }),
  /** Null: all environments. */
  environmentId: text('environment_id').references(() => environment.id, { onDelete: 'cascade' }),
  customerIdentifier: text('customer_identifier').notNull(),
  reason: text('reason').notNull(),
  /** Expiry; null: does not expire. */
  until: instant('until'),
  createdAt: instant('created_at').notNull(),
  createdByUserId: text('created_by_user_id'),
};

/** No foreign key to the plan: a plan deleted from the workspace may still be deployed. */
export const customerGrant = sqliteTable(
  'customer_grant',
  { ...manualEntry, planId: text('plan_id').notNull() },
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

/** No foreign key to the property, for the same reason. */
export const customerOverride = sqliteTable(
  'customer_override',
  {
    ...manualEntry,
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
