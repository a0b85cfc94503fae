/** Validates the claims of a token with a valid signature, and identifies its subject. */
import type { JwtIssuer } from '#contracts/internal/snapshot';
import { problemOfOpaque, readIdentifier } from '#contracts/public/identifiers';
import type { Refusal } from './describe-refusal.ts';
import { type ClaimSet, own, readClaim } from './read-claim.ts';

/** Tolerated clock difference for exp and nbf. */
export const LEEWAY_MS = 30_000;
/** Tokens cannot be revoked before they expire, so longer lifetimes are refused. */
export const MAX_LIFETIME_MS = 24 * 3_600_000;

/** The subject of a valid token. */
export interface NamedSubject {
  /** Canonical. */
  readonly identifier: string;
  /** One of the customer's entities, such as the member of a team that signed in. Absent if the token names none. */
  readonly entity?: string;
  /** The claim exp, in epoch milliseconds. The token is accepted for LEEWAY_MS longer. */
  readonly expiresAt: number;
}

/** What a token comes to. */
export type Verdict = NamedSubject | Refusal;

/** @param now epoch milliseconds */
export function checkClaims(claims: ClaimSet, issuer: JwtIssuer, now: number): Verdict {
  if (issuer.issuer !== null && own(claims, 'iss') !== issuer.issuer) return 'jwt-issuer-mismatch';
  if (issuer.audience !== null && !isMeantFor(own(claims, 'aud'), issuer.audience))
    return 'jwt-audience-mismatch';

  const exp = own(claims, 'exp');
  if (typeof exp !== 'number') return 'jwt-expiry-missing';
  const expiresAt = Math.floor(exp * 1000);
  if (now >= expiresAt + LEEWAY_MS) return 'jwt-expired';
  if (expiresAt > now + MAX_LIFETIME_MS + LEEWAY_MS) return 'jwt-lifetime-too-long';
  const nbf = own(claims, 'nbf');
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf * 1000 > now + LEEWAY_MS))
    return 'jwt-not-yet-valid';

  const claim = readClaim(claims, issuer.claimKey);
  if (claim === undefined || claim === null || claim === '') return 'jwt-claim-missing';
  const text = textOf(claim);
  if (text === undefined) return 'jwt-claim-invalid';
  // The integration defines the kind of identifier, so an id is never looked up as an email or the reverse.
  // Accounts can choose the ids of their customers, so an id need not look like one of Stripe's.
  const read = readIdentifier(text);
  const isEmailAsked = issuer.claimIndex === 'email';
  if (!read.ok || (read.kind === 'email') !== isEmailAsked) return 'jwt-claim-invalid';
  if (isEmailAsked && issuer.acceptsUnverifiedEmails === false && isUnverified(claims, issuer.claimKey))
    return 'jwt-email-unverified';
  const entity = entityOf(claims, issuer);
  if (entity === null) return 'jwt-claim-invalid';
  return { identifier: read.canonical, ...(entity !== undefined && { entity }), expiresAt };
}

/** @returns undefined if the token names none; null if what it names cannot be one */
function entityOf(claims: ClaimSet, { entityClaimKey = null }: JwtIssuer): string | null | undefined {
  const claim = entityClaimKey === null ? undefined : readClaim(claims, entityClaimKey);
  if (claim === undefined || claim === null || claim === '') return undefined;
  const text = textOf(claim);
  return text !== undefined && problemOfOpaque(text) === null ? text : null;
}

/** A whole number is an id as a database has it. A larger one has lost digits in JSON. */
function textOf(claim: unknown): string | undefined {
  if (Number.isSafeInteger(claim)) return String(claim);
  return typeof claim === 'string' ? claim : undefined;
}

/** The claim email_verified of the token, and the one beside the email (OpenID Connect Core section 5.1). Some issuers send text or 0. */
function isUnverified(claims: ClaimSet, claimKey: string): boolean {
  // Beside `user.email`, and beside `https://example.com/email`.
  const beside = claimKey.replace(/[^./:]*$/, 'email_verified');
  return ['email_verified', beside].some((name) => /^(?:false|0)$/i.test(String(readClaim(claims, name))));
}

/** One audience or several (RFC 7519 section 4.1.3). */
function isMeantFor(aud: unknown, audience: string): boolean {
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}
