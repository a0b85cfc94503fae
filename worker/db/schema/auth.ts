/** Accounts and sessions: Better Auth's tables, with two flags of our own on the user. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { authInstant, flag, instant } from './columns.ts';

export const user = sqliteTable('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: flag('email_verified').notNull().default(false),
  image: text('image'),
  createdAt: authInstant('created_at').notNull(),
  updatedAt: authInstant('updated_at').notNull(),
  /** Platform staff: may look at every organisation. */
  sudo: flag('sudo').notNull().default(false),
  /** False: on the waiting list; cannot sign in. */
  enabled: flag('enabled').notNull().default(true),
});

export const session = sqliteTable(
  'session',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    token: text('token').notNull().unique(),
    expiresAt: authInstant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Unused: membership comes from the URL. Dropping it would break a previous Worker that still selects it during a deploy. */
    activeOrganizationId: text('active_organization_id'),
    createdAt: authInstant('created_at').notNull(),
    updatedAt: authInstant('updated_at').notNull(),
  },
  (table) => [index('session_user').on(table.userId)],
);

export const account = sqliteTable(
  'account',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: authInstant('access_token_expires_at'),
    refreshTokenExpiresAt: authInstant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: authInstant('created_at').notNull(),
    updatedAt: authInstant('updated_at').notNull(),
  },
  (table) => [
    index('account_user').on(table.userId),
    uniqueIndex('account_provider').on(table.providerId, table.accountId),
  ],
);

export const verification = sqliteTable(
  'verification',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: authInstant('expires_at').notNull(),
    createdAt: authInstant('created_at').notNull(),
    updatedAt: authInstant('updated_at').notNull(),
  },
  (table) => [index('verification_identifier').on(table.identifier)],
);

export const rateLimit = sqliteTable('rate_limit', {
  id: text('id').primaryKey(),
  key: text('key').notNull().unique(),
  count: integer('count').notNull(),
  lastRequest: integer('last_request').notNull(),
});

/** Attempts per key in a window: passwords tried, mails sent. See db/attempt-limit.ts. */
export const attempt = sqliteTable(
  'attempt',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    /** The end of the window that the first attempt began. */
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('attempt_ends').on(table.endsAt)],
);
