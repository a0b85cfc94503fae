/**
 * One environment at one generation: stored by replicas, cached by isolates. Only the publish use case creates
 * snapshots. Objects that run another version of this code may send them, so fields are only added.
 */

import type { EnvironmentType } from '../console/environment-type.ts';
import type { ClaimIndex } from '../console/integrations.ts';
import type { SubscriptionPolicy } from '../console/subscription-policy.ts';
import type { ApiKeyType } from '../public/api-key-type.ts';
import type { Location } from '../public/locations.ts';
import type { LeavingLocations } from './ledger.ts';

export interface EnvironmentSnapshot {
  /** Increases with every change that replicas need; a replica accepts only a higher generation. */
  readonly generation: number;
  readonly orgId: string;
  readonly environmentId: string;
  readonly environmentType: EnvironmentType;
  /** Enabled data locations, in the table's order; the first is the home location. */
  readonly locations: readonly Location[];
  /** Those whose ledgers are being retired. Absent in older snapshots. */
  readonly leaving?: LeavingLocations | undefined;
  /** Null until something is deployed. `content` is the artifact's canonical JSON text. */
  readonly artifact: {
    readonly id: string;
    readonly number: number | null;
    readonly hash: string;
    readonly content: string;
    /** What dynamic workers load of its workflows, as JSON (LoadableCode). Null without workflows; absent until it is made, and in older snapshots. */
    readonly workflowCode?: { readonly hash: string; readonly text: string } | null | undefined;
  } | null;
  /** Live keys by the SHA-256 (hexadecimal) of their text. */
  readonly keys: readonly SnapshotKey[];
  /** How many ledger objects the environment has in each data location. Absent in older snapshots: 16. */
  readonly ledgerShards?: number;
  /**
   * Set: checks are refused with usage-blocked, in the month that begins at `monthAt`. Null, or absent as in older snapshots:
   * until it is lifted.
   */
  readonly block: { readonly reason: string; readonly monthAt?: number | null } | null;
  /** Refuses everything, and is not copied to a replica that has none. Absent in older snapshots. */
  readonly isDeleted?: boolean;
  /** Public keys capped at this share of the monthly allowance, or at less, are refused in that month. Absent in older snapshots. */
  readonly usedShare?: { readonly monthAt: number; readonly percent: number } | null;
  /** The organisation's JWT integrations, in order of creation. Absent in older snapshots. */
  readonly jwtIssuers?: readonly JwtIssuer[];
  /** The environment has customer facts, manual or from Stripe, so every check calls a ledger. */
  readonly hasCustomerFacts?: boolean;
  /** Customer facts with a lower version are void: the database was restored to an earlier instant then. Absent: it never was. */
  readonly factsEpoch?: number;
  /** Connected Stripe accounts. Facts from other accounts are ignored. Absent in older snapshots. */
  readonly stripeIntegrationIds?: readonly string[];
  /** What subscriptions mean, by integration, where that is not the default. Absent in older snapshots. */
  readonly subscriptionPolicies?: Readonly<Record<string, SubscriptionPolicy & { readonly name: string }>>;
  /** Workflows that were switched off in this environment because too many of their runs were killed. Absent in older snapshots. */
  readonly disabledWorkflowIds?: readonly string[];
}

export interface SnapshotKey {
  readonly id: string;
  readonly type: ApiKeyType;
  readonly hash: string;
  /** Calls a minute. Absent in older snapshots: the default of the type. */
  readonly rateLimit?: number;
  /** Percent of the monthly allowance; null for secret keys. Absent in older snapshots. */
  readonly allowanceShare?: number | null;
  /** Whether a secret key may change customers. Absent in older snapshots: it may not. */
  readonly managesCustomers?: boolean;
}

/** A trusted token issuer, and the claim that identifies the subject. See worker/domains/identity/README.md, "Identity". */
export interface JwtIssuer {
  readonly id: string;
  /** A claim's name; dots select nested claims. */
  readonly claimKey: string;
  readonly claimIndex: ClaimIndex;
  /** The claim that names the customer's entity. Absent in older snapshots, like null: none does. */
  readonly entityClaimKey?: string | null;
  /** If set, the required audience. */
  readonly audience: string | null;
  /** If set, the required issuer. */
  readonly issuer: string | null;
  /** Whether a token whose claim email_verified is false identifies a customer by email. Absent in older snapshots: it does. */
  readonly acceptsUnverifiedEmails?: boolean;
  readonly keys: readonly PublicJwk[];
  /** The keys come from an address, which may have newer ones. */
  readonly hasKeyAddress?: true;
}

/** The public parts of a signing key (RFC 7517, RFC 7518 section 6, RFC 8037 section 2). */
export interface PublicJwk {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly kid?: string;
  /** If set, the only algorithm that the key may be used with. */
  readonly alg?: string;
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}
