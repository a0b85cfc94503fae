/** Why a token does not say who its bearer is, in the words of the answer's warnings. */
import type { Warning } from '#contracts/subjects';

/** Sorted by how far the token came: of several integrations, the refusal of the one that came furthest is told. */
export const REFUSALS = [
  'jwt-integration-missing',
  'jwt-too-large',
  'jwt-malformed',
  'jwt-algorithm-not-allowed',
  'jwt-key-unknown',
  'jwt-signature-invalid',
  'jwt-issuer-mismatch',
  'jwt-audience-mismatch',
  'jwt-expiry-missing',
  'jwt-expired',
  'jwt-lifetime-too-long',
  'jwt-not-yet-valid',
  'jwt-claim-missing',
  'jwt-claim-invalid',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const MESSAGES: Record<Refusal, string> = {
  'jwt-integration-missing': 'No JWT integration is set up',
  'jwt-too-large': 'The token is larger than 8 KiB',
  'jwt-malformed': 'The token is not a signed JSON Web Token in compact form',
  'jwt-algorithm-not-allowed':
    'The token names an algorithm that is not allowed, or that does not fit the key; RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 and EdDSA are',
  'jwt-key-unknown': 'The token names a key (kid) that no JWT integration has',
  'jwt-signature-invalid': 'No key of the JWT integrations verifies the signature of the token',
  'jwt-issuer-mismatch': 'The token comes from another issuer (iss) than its integration asks for',
  'jwt-audience-mismatch': 'The token is meant for another audience (aud) than its integration asks for',
  'jwt-expiry-missing': 'The token does not say when it expires (exp)',
  'jwt-expired': 'The token has expired (exp)',
  'jwt-lifetime-too-long': 'The token expires (exp) more than 24 hours from now',
  'jwt-not-yet-valid': 'The token is not valid yet (nbf)',
  'jwt-claim-missing': 'The token lacks the claim that its integration asks for',
  'jwt-claim-invalid':
    'The claim that the integration asks for does not hold what it is looked up as: an e-mail address or a Stripe customer id',
};

export function describeRefusal(code: Refusal): Warning {
  return { code, message: `${MESSAGES[code]}, so the subject was treated as anonymous` };
}

/** The one that came further. */
export function furtherRefusal(one: Refusal, other: Refusal): Refusal {
  return REFUSALS.indexOf(one) >= REFUSALS.indexOf(other) ? one : other;
}
