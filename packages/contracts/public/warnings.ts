/**
 * The warnings of successful responses of the public API. The engine and the API documentation both read this table. A code
 * never changes its meaning; its message may. warning-advice.ts says what to do about each.
 */
import { escapeText } from './characters.ts';

const CONSEQUENCE = ', so the subject was treated as anonymous';
const anonymous = (reason: string) => `${reason}${CONSEQUENCE}`;

/** In the response. `{slug}` is replaced with the requested slug. */
export const WARNINGS = {
  'nothing-deployed': 'Nothing is deployed to this environment yet',
  'query-ignored': 'Unknown query parameters were ignored: {slug}',
  'feature-unknown': 'The deployed version has no feature with the slug {slug}',
  'context-left-out': 'Attributes that do not fit the context were left out: {slug}',
  'no-targeting-key': 'The context has no targetingKey, so the subject is anonymous',
  'snapshot-stale': 'The environment could not be refreshed, so this response may be outdated',
  'usage-unknown': 'The customer’s usage could not be read, so meters are returned as unused',
  'usage-stale': 'The customer’s usage could not be read, so meters show the last known usage',
  'usage-incomplete': 'Usage from another region is not included yet',
  'resource-id-missing':
    'The meter counts unique resources and the call has no resourceId, so nothing was counted',
  'customer-facts-unknown':
    'The customer’s subscriptions, grants and overrides could not be read, so some may be missing',
  'customer-facts-stale':
    'The customer’s subscriptions, grants and overrides could not be confirmed, so recent changes may be missing',
  'customer-not-found': 'No connected Stripe account has a customer with this ID in the environment’s mode',
  'customer-in-other-mode':
    'The customer exists in Stripe’s test mode only, and this environment uses live mode, so their subscriptions do not count',
  'email-ambiguous':
    'Several customers have this email. All of their plans apply. Usage counts for the email’s owner, or for the email itself if it has no owner.',
  'user-id-ambiguous':
    'Several customers have this user ID. All of their plans apply. Usage counts for the user ID itself.',
  'override-left-out': 'The customer’s override of {slug} does not fit the deployed version and was ignored',
  'workflow-failed': 'The workflow {slug} failed and was skipped',
  'workflow-stopped': 'The workflow {slug} exceeded a limit or could not start in time, and was skipped',
  'workflow-result-ignored': 'Part of a workflow’s result was ignored: {slug}',
  'workflow-disabled':
    'The workflow {slug} is disabled in this environment because at least half of its runs were stopped',
  'workflows-unavailable': 'Workflows could not run and were skipped',
  'explain-needs-secret-key': 'Explanations require a secret key',
  'identifier-needs-secret-key':
    'userIdentifier requires a secret key, so the subject was treated as anonymous',
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

export type WarningCode = keyof typeof WARNINGS;

/** @param slug what the message is about, if it contains one: the feature's slug, or text of a caller or a program, which is escaped */
export function warningOf(code: WarningCode, slug = ''): { code: WarningCode; message: string } {
  return { code, message: WARNINGS[code].replace('{slug}', () => escapeText(slug)) };
}

/** Why a subject is anonymous, for calls that refuse anonymous subjects. */
export function reasonOf({ message }: { readonly message: string }): string {
  return message.replace(CONSEQUENCE, '');
}
