/** Features and their properties: the editable workspace. */

import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import { flag, instant, json } from './columns.ts';
import { organization } from './organisations.ts';

export const feature = sqliteTable(
  'feature',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    slug: text('slug').notNull(),
    description: text('description'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('feature_org_slug').on(table.orgId, table.slug)],
);

export const featureProperty = sqliteTable(
  'feature_property',
  {
    id: text('id').primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    featureId: text('feature_id')
      .notNull()
      .references(() => feature.id, { onDelete: 'cascade' }),
    propertyKey: text('property_key').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    type: text('type').$type<PropertyType>().notNull(),
    value: json<PropertyValue>('value').notNull(),
    bounds: json<NumberBounds>('bounds'),
    conflictResolution: text('conflict_resolution').$type<ConflictResolution>().notNull(),
    isSystem: flag('is_system').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('feature_property_key').on(table.featureId, table.propertyKey)],
);
