/**
 * Who has proved an email: somebody who opened a link that was mailed to it, or signed in with a provider that has verified it. Platform
 * staff can change an email and mark it as verified. Its account then signs in, but a membership needs the proof.
 */
import { sql } from 'drizzle-orm';
import { user } from './schema/auth.ts';

/** Condition on `user`. */
export const isEmailProved = sql<boolean>`(${user.emailVerified} AND NOT ${user.emailSetByStaff})`;

/** What a proof sets. */
export const PROVED_EMAIL = { emailVerified: true, emailSetByStaff: false } as const;
