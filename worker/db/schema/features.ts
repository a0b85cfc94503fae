/** Features and their properties: the editable workspace. */

import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { ConflictResolution, NumberBounds, PropertyType, PropertyValue } from '#contracts/public/values';
import type { ArtifactCost } from '#engine/artifacts/artifact-content';
import { flag, instant, json, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export const feature = sqliteTable(
  'feature',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
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
    orgId: partOf('org_id', () => organization.id),
    featureId: partOf('feature_id', () => feature.id),
    /** The name in the API, unique in the feature. */
    propertyKey: text('property_key').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    /** number, boolean, string or meterable. Never changes. */
    type: text('type').$type<PropertyType>().notNull(),
    /** JSON: the default. */
    value: json<PropertyValue>('value').notNull(),
    /** JSON: limits of a number. */
    bounds: json<NumberBounds>('bounds'),
    /** Which of several plans’ values applies: higher, lower or sum. */
    conflictResolution: text('conflict_resolution').$type<ConflictResolution>().notNull(),
    /** Created with the feature: whether it is enabled. */
    isSystem: flag('is_system').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** JSON: what each one of a meter counts on another meter. */
    costs: json<ArtifactCost>('costs'),
    /** Whether a balance of the meter opens its feature without a plan. */
    balanceOpens: flag('balance_opens').notNull().default(false),
  },
  (table) => [uniqueIndex('feature_property_key').on(table.featureId, table.propertyKey)],
);
