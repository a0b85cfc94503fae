/** Environments, their deployments, the data locations that acknowledged them, and API keys. */

import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { AllowanceShare, RateLimit } from '#contracts/console/api-keys';
import type { EnvironmentType } from '#contracts/console/environment-type';
import type { ApiKeyType } from '#contracts/public/api-key-type';
import type { Location } from '#contracts/public/locations';
import { artifact } from './artifacts.ts';
import { flag, instant, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export const environment = sqliteTable(
  'environment',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    name: text('name').notNull(),
    description: text('description'),
    /** As shown in the console. */
    url: text('url'),
    /** preview, test or live. */
    type: text('type').$type<EnvironmentType>().notNull(),
    /** What it runs; null: nothing. */
    artifactId: text('artifact_id').references(() => artifact.id),
    /** What it ran before the last deploy of another version, also if that was deleted since; null: nothing, or unknown. */
    previousArtifactId: text('previous_artifact_id'),
    /** Incremented by every change of the environment's snapshot. */
    generation: integer('generation').notNull().default(1),
    /** The generation of the last deploy. A location that acknowledged it serves that deploy. */
    deployGeneration: integer('deploy_generation').notNull().default(0),
    /** Number of ledger objects per data location; never changes. */
    ledgerShards: integer('ledger_shards').notNull().default(16),
    /** The last deploy. */
    lastDeployedAt: instant('last_deployed_at'),
    /** Who deployed. */
    lastDeployedByUserId: text('last_deployed_by_user_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** Tombstone: the environment is deleted; the row stays so that replicas learn of it. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    index('environment_org').on(table.orgId),
    index('environment_deleted').on(table.deletedAt).where(sql`deleted_at IS NOT NULL`),
  ],
);

export const replicaAcknowledgement = sqliteTable(
  'replica_acknowledgement',
  {
    environmentId: partOf('environment_id', () => environment.id),
    /** The data location. */
    location: text('location').$type<Location>().notNull(),
    /** The highest acknowledged generation; -1 if the location never acknowledged one. */
    generation: integer('generation').notNull(),
    /** When, or when the first attempt failed. */
    acknowledgedAt: instant('acknowledged_at').notNull(),
    /** The last attempt to publish, if it failed. Null once the location acknowledges again. */
    failedAt: instant('failed_at'),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.location] })],
);

export const apiKey = sqliteTable(
  'api_key',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    environmentId: partOf('environment_id', () => environment.id),
    /** Null: without a name. */
    name: text('name'),
    /** secret or public. */
    type: text('type').$type<ApiKeyType>().notNull(),
    /** SHA-256 of the key's text. */
    hash: text('hash').notNull(),
    /** The key, encrypted, for Reveal. */
    sealedValue: text('sealed_value').notNull(),
    /** As the console shows it. */
    maskedValue: text('masked_value').notNull(),
    /** Calls a minute; null: the default of the type. */
    rateLimit: integer('rate_limit').$type<RateLimit>(),
    /** Percent of the monthly allowance that a public key may use; null: the default. */
    allowanceShare: integer('allowance_share').$type<AllowanceShare>(),
    /** Whether a secret key may change customers (domains/customers/provisioning). */
    managesCustomers: flag('manages_customers').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    createdByUserId: text('created_by_user_id'),
  },
  (table) => [
    uniqueIndex('api_key_hash').on(table.hash),
    index('api_key_environment').on(table.environmentId),
  ],
);
