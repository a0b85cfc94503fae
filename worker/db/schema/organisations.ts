/**
 * Organisations with their members and invitations. Better Auth defines the names of the shared tables and columns.
 */

import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { WorkspaceSize } from '#contracts/console/artifacts';
import type { BillingPlan } from '#contracts/console/organisations';
import type { Location } from '#contracts/public/locations';
import { user } from './auth.ts';
import { authInstant, flag, instant, json } from './columns.ts';

export const organization = sqliteTable('organization', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
  logo: text('logo'),
  metadata: text('metadata'),
  createdAt: authInstant('created_at').notNull(),

  description: text('description'),
  updatedAt: instant('updated_at').notNull(),
  plan: text('plan').$type<BillingPlan>().notNull().default('build'),
  activeStripeCustomerId: text('active_stripe_customer_id'),
  activeStripeSubscriptionId: text('active_stripe_subscription_id'),
  quickstartStatus: text('quickstart_status').$type<'dismissed' | 'finished' | 'paused'>(),
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
  lastArtifactNumber: integer('last_artifact_number').notNull().default(0),
});

export const member = sqliteTable(
  'member',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
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
    organizationId: text('organization_id')
      .notNull()
      .references(() => organization.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role'),
    status: text('status').notNull().default('pending'),
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

/** An owner's consent that platform staff change things, and a request for it. */
export const supportAccess = sqliteTable('support_access', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organization.id, { onDelete: 'cascade' }),
  /** Set while a request is open. */
  requestedBy: text('requested_by'),
  requestReason: text('request_reason'),
  requestedAt: instant('requested_at'),
  grantedBy: text('granted_by'),
  grantedAt: instant('granted_at'),
  /** When the grant ends; null: there is none. */
  expiresAt: instant('expires_at'),
});
