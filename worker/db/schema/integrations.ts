/** JWT integrations: issuers of accepted tokens. Public keys only; nothing here is secret. */
import { sql } from 'drizzle-orm';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ClaimIndex } from '#contracts/console/integrations';
import type { PublicJwk } from '#contracts/internal/snapshot';
import { flag, instant, json, partOf } from './columns.ts';
import { organization } from './organisations.ts';

export interface StoredPublicKey {
  readonly jwk: PublicJwk;
  /** Shown in the console. */
  readonly anonymized: string;
}

export const jwtIntegration = sqliteTable(
  'jwt_integration',
  {
    id: text('id').primaryKey(),
    orgId: partOf('org_id', () => organization.id),
    name: text('name').notNull(),
    description: text('description'),
    /** The claim that identifies the customer. */
    claimKey: text('claim_key').notNull(),
    /** How the claim’s value is looked up: as an email, or as a customer id. */
    claimIndex: text('claim_index').$type<ClaimIndex>().notNull(),
    /** The claim that names the customer’s entity, such as the member of a team; null: none does. */
    entityClaimKey: text('entity_claim_key'),
    /** The expected `aud`; null: any. */
    audience: text('audience'),
    /** The expected `iss`; null: any. */
    issuer: text('issuer'),
    /** Whether a token whose claim email_verified is false identifies a customer. */
    acceptsUnverifiedEmails: flag('accepts_unverified_emails').notNull().default(true),
    /** JSON: the keys that sign its tokens. */
    publicKeys: json<readonly StoredPublicKey[]>('public_keys').notNull(),
    /** Where the issuer publishes its keys (JWKS); null: they were pasted. */
    keyAddress: text('key_address'),
    /** When the address last returned a key set. */
    keysFetchedAt: instant('keys_fetched_at'),
    /** When the address was last called. */
    keysTriedAt: instant('keys_tried_at'),
    /** Why the last call returned no key set; null: it did. */
    keysProblem: text('keys_problem'),
    /** Whether the quick start created it. */
    quickStart: flag('quick_start').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('jwt_integration_org').on(table.orgId),
    index('jwt_integration_keys_due').on(table.keysTriedAt).where(sql`key_address IS NOT NULL`),
  ],
);
