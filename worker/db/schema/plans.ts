/** Plans and every version of their values. */

import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PlanProperties } from '#contracts/console/plans';
import { flag, instant, json, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export const plan = sqliteTable(
  'plan',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    /** Whether everyone who isn't signed in has it. */
    grantToAnonymousSessions: flag('grant_to_anonymous_sessions').notNull().default(false),
    /** Whether everyone who is signed in has it. */
    grantToAuthenticatedUsers: flag('grant_to_authenticated_users').notNull().default(false),
    /** Whether it counts only beside a plan that is no add-on. */
    isAddOn: flag('is_add_on').notNull().default(false),
    /** Whether anyone may read it, for pricing pages. */
    isPublic: flag('is_public').notNull().default(false),
    /** The newest of its versions. */
    currentVersion: integer('current_version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('plan_org_slug').on(table.orgId, table.slug),
    index('plan_public').on(table.id).where(sql`is_public`),
  ],
);

export const planVersion = sqliteTable(
  'plan_version',
  {
    orgId: partOf('org_id', () => organization.id),
    planId: partOf('plan_id', () => plan.id),
    /** From 1. */
    version: integer('version').notNull(),
    /** JSON: the values it sets. */
    properties: json<PlanProperties>('properties').notNull(),
    createdAt: instant('created_at').notNull(),
    createdByUserId: text('created_by_user_id'),
  },
  (table) => [primaryKey({ columns: [table.planId, table.version] })],
);
