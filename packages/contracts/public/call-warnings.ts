/**
 * The warnings of code that the client package's fake server shares: about a call's query, its subject and what it counts. The others
 * (warnings.ts) would make the package larger.
 */
import { escapeText } from './characters.ts';

const CONSEQUENCE = ', so the subject was treated as anonymous';
const anonymous = (reason: string) => `${reason}${CONSEQUENCE}`;

export const CALL_WARNINGS = {
  'query-ignored': 'Unknown query parameters were ignored: {slug}',
  'feature-unknown': 'The deployed version has no feature with the slug {slug}',
  'context-left-out': 'Attributes that do not fit the context were left out: {slug}',
  'no-targeting-key': 'The context has no targetingKey, so the subject is anonymous',
  'usage-incomplete': 'Usage from another region is not included yet',
  'resource-id-missing':
    'The meter counts unique resources and the call has no resourceId, so nothing was counted',
  'explain-needs-secret-key': 'Explanations require a secret key',
  'identifier-needs-secret-key':
    'userIdentifier requires a secret key, so the subject was treated as anonymous',
  'entity-required': 'The call has no entityId, so the limits of each entity are not part of the decision',
  'entity-needs-secret-key': 'entityId requires a secret key, so it was ignored',
  'jwt-integration-missing': anonymous('No JWT integration is set up'),
  'jwt-too-large': anonymous('The token is larger than 8 KiB'),
  'jwt-malformed': anonymous('The token is not a signed JSON Web Token in compact form'),
  'jwt-algorithm-not-allowed': anonymous('The token’s algorithm is not supported or does not match the key'),
  'jwt-key-unknown': anonymous('The token’s key ID (kid) matches no JWT integration'),
  'jwt-signature-invalid': anonymous('The token’s signature matches no JWT integration’s key'),
  'jwt-issuer-mismatch': anonymous('The token’s issuer (iss) does not match the integration'),
  'jwt-audience-mismatch': anonymous('The token’s audience (aud) does not match the integration'),
  'jwt-expiry-missing': anonymous('The token has no expiry (exp)'),
  'jwt-expired': anonymous('The token has expired (exp)'),
  'jwt-lifetime-too-long': anonymous('The token expires (exp) more than 24 hours from now'),
  'jwt-not-yet-valid': anonymous('The token is not valid yet (nbf)'),
  'jwt-claim-missing': anonymous('The token has no claim that identifies the customer'),
  'jwt-claim-invalid': anonymous(
    'The claim’s value is not what the integration expects, an email or a customer ID',
  ),
  'jwt-email-unverified': anonymous('The token says that its email is not verified (email_verified)'),
} as const satisfies Record<string, string>;

type CallWarningCode = keyof typeof CALL_WARNINGS;

/** @param slug as for warningOf */
export function callWarningOf(code: CallWarningCode, slug = ''): { code: CallWarningCode; message: string } {
  return { code, message: filledIn(CALL_WARNINGS[code], slug) };
}

export function filledIn(message: string, slug: string): string {
  return message.replace('{slug}', () => escapeText(slug));
}

/** Why a subject is anonymous, for calls that refuse anonymous subjects. */
export function reasonOf({ message }: { readonly message: string }): string {
  return message.replace(CONSEQUENCE, '');
}
