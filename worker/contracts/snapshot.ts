/**
 * What a replica holds and an isolate answers from: one environment at one generation (DESIGN section 3). It is made by
 * the publish use case, never by a client; objects of other versions of this code may send it, so fields are only added.
 */
import type { ApiKeyType } from './api-keys.ts';
import type { EnvironmentType } from './environments.ts';
import type { ClaimIndex } from './integrations.ts';
import type { Location } from './locations.ts';

export interface EnvironmentSnapshot {
  /** Rises with every change a replica must know; a replica takes only what is newer. */
  readonly generation: number;
  readonly orgId: string;
  readonly environmentId: string;
  readonly environmentType: EnvironmentType;
  /** Enabled data locations, in the table's order; the first is the home location. */
  readonly locations: readonly Location[];
  /** Null until something is deployed. `content` is the artifact's canonical JSON text. */
  readonly artifact: {
    readonly id: string;
    readonly number: number | null;
    readonly hash: string;
    readonly content: string;
  } | null;
  /** Live keys by the SHA-256 (hexadecimal) of their text. */
  readonly keys: readonly { readonly id: string; readonly type: ApiKeyType; readonly hash: string }[];
  /** How many ledger objects the environment has in each data location. Absent in snapshots of before: 16. */
  readonly ledgerShards?: number;
  /** Set: checks are refused with usage-blocked. */
  readonly block: { readonly reason: string } | null;
  /** The organisation's JWT integrations, in the order in which they were made. Absent in snapshots of before. */
  readonly jwtIssuers?: readonly JwtIssuer[];
  /** Something is said of customers, by hand or by a connected Stripe account: ledgers are to be asked about everybody. */
  readonly hasCustomerFacts?: boolean;
  /** Connected Stripe accounts: what others said counts no more. Absent in snapshots of before. */
  readonly stripeIntegrationIds?: readonly string[];
}

/** Whose tokens are believed, and which of their claims names the subject (DESIGN section 5). */
export interface JwtIssuer {
  readonly id: string;
  /** A claim's name; dots lead into nested ones. */
  readonly claimKey: string;
  readonly claimIndex: ClaimIndex;
  /** Set: a token must be meant for it. */
  readonly audience: string | null;
  /** Set: a token must come from it. */
  readonly issuer: string | null;
  readonly keys: readonly PublicJwk[];
}

/** The public parts of a signing key (RFC 7517, RFC 7518 section 6, RFC 8037 section 2), and nothing else. */
export interface PublicJwk {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly kid?: string;
  /** Set: the only algorithm that the key may be used with. */
  readonly alg?: string;
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}
