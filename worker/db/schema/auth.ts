/** Accounts and sessions: Better Auth's tables, with two flags of our own on the user. */
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { authInstant, flag, instant, partOf } from './columns.ts';

export const user = sqliteTable('user', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** In lower case. */
  email: text('email').notNull().unique(),
  /** Whether somebody has proved that the email is theirs, or staff have marked it as verified. */
  emailVerified: flag('email_verified').notNull().default(false),
  /** URL of a picture from a provider. */
  image: text('image'),
  createdAt: authInstant('created_at').notNull(),
  updatedAt: authInstant('updated_at').notNull(),
  /** Platform staff: may look at every organisation. */
  sudo: flag('sudo').notNull().default(false),
  /** False: on the waiting list; cannot sign in. */
  enabled: flag('enabled').notNull().default(true),
  /** Staff changed the email or marked it as verified, and nobody has opened a link mailed to it since (db/proved-email.ts). */
  emailSetByStaff: flag('email_set_by_staff').notNull().default(false),
});

export const session = sqliteTable(
  'session',
  {
    id: text('id').primaryKey(),
    userId: partOf('user_id', () => user.id),
    /** SHA-256 of the cookie's token; rows of earlier releases have the token itself. */
    token: text('token').notNull().unique(),
    /** When it ends, unless it is extended. */
    expiresAt: authInstant('expires_at').notNull(),
    /** Where it was created, as shown in the list of sessions. */
    ipAddress: text('ip_address'),
    /** The browser that created it. */
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
    userId: partOf('user_id', () => user.id),
    /** The user's id at the provider; of a password, the user's id. */
    accountId: text('account_id').notNull(),
    /** credential (a password), github or google. */
    providerId: text('provider_id').notNull(),
    /** The provider's token. */
    accessToken: text('access_token'),
    /** The provider's token for a new one. */
    refreshToken: text('refresh_token'),
    /** The provider's statement about the user. */
    idToken: text('id_token'),
    /** When `access_token` expires. */
    accessTokenExpiresAt: authInstant('access_token_expires_at'),
    /** When `refresh_token` expires. */
    refreshTokenExpiresAt: authInstant('refresh_token_expires_at'),
    /** What the provider was asked for. */
    scope: text('scope'),
    /** The hash (scrypt); null with a provider. */
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
    /** What the value is for, such as a password reset. */
    identifier: text('identifier').notNull(),
    /** The secret of a mailed link, or what belongs to it. */
    value: text('value').notNull(),
    /** When the link ends. */
    expiresAt: authInstant('expires_at').notNull(),
    createdAt: authInstant('created_at').notNull(),
    updatedAt: authInstant('updated_at').notNull(),
  },
  (table) => [index('verification_identifier').on(table.identifier)],
);

export const rateLimit = sqliteTable('rate_limit', {
  id: text('id').primaryKey(),
  /** Network and path. */
  key: text('key').notNull().unique(),
  /** Calls in the window. */
  count: integer('count').notNull(),
  /** The last call, in epoch milliseconds. */
  lastRequest: integer('last_request').notNull(),
});

/** Attempts per key in a window: passwords tried, mails sent. See db/attempt-limit.ts. */
export const attempt = sqliteTable(
  'attempt',
  {
    /** What is limited, such as the passwords of an account. */
    key: text('key').primaryKey(),
    /** Attempts in the window. */
    count: integer('count').notNull(),
    /** The end of the window that the first attempt began. */
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [index('attempt_ends').on(table.endsAt)],
);
