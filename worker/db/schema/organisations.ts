/**
 * Organisations with their members and invitations. Better Auth defines the names of the shared tables and columns.
 */

import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { WorkspaceSize } from '#contracts/console/artifacts';
import type { BillingPlan } from '#contracts/console/organisations';
import type { Location } from '#contracts/public/locations';
import type { LimitOrder } from '#engine/artifacts/artifact-content';
import { user } from './auth.ts';
import { authInstant, flag, instant, json, partOf } from './columns.ts';

export const organization = sqliteTable('organization', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Unique among all organisations. */
  slug: text('slug').notNull().unique(),
  /** URL of a picture. */
  logo: text('logo'),
  /** Unused: a column of Better Auth's. */
  metadata: text('metadata'),
  createdAt: authInstant('created_at').notNull(),

  description: text('description'),
  updatedAt: instant('updated_at').notNull(),
  /** Its subscription to Tessera: build or grow. */
  plan: text('plan').$type<BillingPlan>().notNull().default('build'),
  /** In Tessera's own Stripe account. */
  activeStripeCustomerId: text('active_stripe_customer_id'),
  /** In Tessera's own Stripe account. */
  activeStripeSubscriptionId: text('active_stripe_subscription_id'),
  /** Null: the quick start has not begun, or is in progress. */
  quickstartStatus: text('quickstart_status').$type<'dismissed' | 'finished' | 'paused'>(),
  /** Whether its step about signed tokens was skipped. */
  quickstartIdIntegrationSkipped: flag('quickstart_id_integration_skipped').notNull().default(false),
  /** Enabled data locations. */
  dataLocations: json<Location[]>('data_locations').notNull(),
  /** Set: access checks of every environment are blocked. */
  blockReason: text('block_reason'),
  /** Incremented by every change of features, plans or workflows. */
  workspaceRevision: integer('workspace_revision').notNull().default(0),
  /** Of the compiled workspace, from the sizes of its rows. Renewed with the revision. */
  workspaceSize: json<WorkspaceSize>('workspace_size')
    .notNull()
    .default({ features: 0, plans: 0, workflows: 0 }),
  /** The workspace revision that the head artifact was built from. */
  headRevision: integer('head_revision').notNull().default(-1),
  /** The artifact of the workspace at headRevision. */
  headArtifactId: text('head_artifact_id'),
  /** The newest version. */
  lastArtifactNumber: integer('last_artifact_number').notNull().default(0),
  /** Facts of its customers with a lower version are void, wherever they are: the database was restored then. */
  factsEpoch: instant('facts_epoch').notNull().default(0),
  /** The last version of facts that a change of its customers was given (customer-facts/next-facts-version.ts). */
  factsVersion: instant('facts_version').notNull().default(0),
  /** How limits of different periods compare: rate, or limit in workspaces of before there was a choice until a plan’s values are edited. */
  limitOrder: text('limit_order').$type<LimitOrder>().notNull().default('limit'),
  /** IANA name of the time zone whose calendar the calendar periods of limits follow. */
  zone: text('zone').notNull().default('UTC'),
});

export const member = sqliteTable(
  'member',
  {
    id: text('id').primaryKey(),
    organizationId: partOf('organization_id', () => organization.id),
    userId: partOf('user_id', () => user.id),
    /** owner, admin or member. */
    role: text('role').notNull().default('member'),
    createdAt: authInstant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('member_organization_user').on(table.organizationId, table.userId),
    index('member_user').on(table.userId),
  ],
);

export const invitation = sqliteTable(
  'invitation',
  {
    id: text('id').primaryKey(),
    organizationId: partOf('organization_id', () => organization.id),
    /** Who is invited. */
    email: text('email').notNull(),
    /** The role that the member will have. */
    role: text('role'),
    /** pending, accepted, rejected or canceled. */
    status: text('status').notNull().default('pending'),
    /** When it ends. */
    expiresAt: authInstant('expires_at').notNull(),
    createdAt: authInstant('created_at').notNull(),
    /** Null: the account was deleted. */
    inviterId: text('inviter_id').references(() => user.id, { onDelete: 'set null' }),
  },
  (table) => [
    index('invitation_organization').on(table.organizationId),
    index('invitation_email').on(table.email),
  ],
);

/** An owner's consent that platform staff change things, a request for it, and what staff may read without it. */
export const supportAccess = sqliteTable('support_access', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organization.id, { onDelete: 'cascade' }),
  /** Set while a request is open. */
  requestedBy: text('requested_by'),
  /** Why, in the words of the staff member. */
  requestReason: text('request_reason'),
  /** When. */
  requestedAt: instant('requested_at'),
  /** The owner. */
  grantedBy: text('granted_by'),
  /** When. */
  grantedAt: instant('granted_at'),
  /** When the grant ends; null: there is none. */
  expiresAt: instant('expires_at'),
  /** Whether staff may read customers and events only while a grant lasts. */
  needsConsentToRead: flag('needs_consent_to_read').notNull().default(false),
});
