/**
 * The warnings of successful responses of the public API. The Worker and the API documentation both read this table. A code
 * never changes its meaning; its message may.
 */
import { escapeText } from './characters.ts';

export interface WarningEntry {
  /** The message in the response. `{slug}` is replaced with the requested slug. */
  readonly message: string;
  /** For the documentation: the effect on the response, and what to do about it. */
  readonly advice: string;
}

const CONSEQUENCE = ', so the subject was treated as anonymous';
const anonymous = (reason: string) => `${reason}${CONSEQUENCE}`;

export const WARNINGS = {
  'nothing-deployed': {
    message: 'Nothing is deployed to this environment yet',
    advice: 'The response has no features. Deploy a version to the environment.',
  },
  'query-ignored': {
    message: 'Unknown query parameters were ignored: {slug}',
    advice: 'Remove them, or check their spelling.',
  },
  'feature-unknown': {
    message: 'The deployed version has no feature with the slug {slug}',
    advice: 'The response omits the feature. Check the slug, or deploy a version that has the feature.',
  },
  'context-left-out': {
    message: 'Attributes that do not fit the context were left out: {slug}',
    advice:
      'OpenFeature only. Workflows and events receive the first 20 attributes that are text, a number, true or false, with names of at most 100 characters and together at most 4 KiB. Send fewer, or put what workflows need first.',
  },
  'no-targeting-key': {
    message: 'The context has no targetingKey, so the subject is anonymous',
    advice:
      'OpenFeature with a secret key only. Set the targetingKey of the evaluation context to your customer.',
  },
  'snapshot-stale': {
    message: 'The environment could not be refreshed, so this response may be outdated',
    advice: 'A recent deployment or key revocation may not be applied yet. No action is needed.',
  },
  'usage-unknown': {
    message: 'The customer’s usage could not be read, so meters are returned as unused',
    advice: 'No region responded. Retry, or decide in your code whether to allow the customer.',
  },
  'usage-stale': {
    message: 'The customer’s usage could not be read, so meters show the last known usage',
    advice:
      'Actual usage may be higher than the meters show. Reads return to normal when a region responds. No action is needed.',
  },
  'usage-incomplete': {
    message: 'Usage from another region is not included yet',
    advice: 'Actual usage may be higher than the meters show. No action is needed.',
  },
  'resource-id-missing': {
    message: 'The meter counts unique resources and the call has no resourceId, so nothing was counted',
    advice:
      'Send the ID of what is counted, such as a seat or a device, as resourceId instead of by. Without it, nothing is counted, and accepted is false under a limit.',
  },
  'customer-facts-unknown': {
    message: 'The customer’s subscriptions, grants and overrides could not be read, so some may be missing',
    advice: 'The response uses the plans that could be read. No action is needed.',
  },
  'customer-facts-stale': {
    message:
      'The customer’s subscriptions, grants and overrides could not be confirmed, so recent changes may be missing',
    advice:
      'The response uses what was confirmed within the last 24 hours, while usage cannot be read. No action is needed.',
  },
  'customer-not-found': {
    message: 'No connected Stripe account has a customer with this ID in the environment’s mode',
    advice:
      'The response uses the plans granted to all authenticated users. Check the ID. Live environments only see live-mode customers.',
  },
  'customer-in-other-mode': {
    message:
      'The customer exists in Stripe’s test mode only, and this environment uses live mode, so their subscriptions do not count',
    advice:
      'Use a test environment’s key for test-mode customers, or create the customer in live mode. The response uses the customer’s other plans.',
  },
  'email-ambiguous': {
    message:
      'Several customers have this email. All of their plans apply. Usage counts for the email’s owner, or for the email itself if it has no owner.',
    advice:
      'Anyone can enter any email at a Stripe checkout. Check by customer ID, or confirm on the customer page in the console which Stripe customer owns the email. Grants, overrides and usage move only then.',
  },
  'user-id-ambiguous': {
    message:
      'Several customers have this user ID. All of their plans apply. Usage counts for the user ID itself.',
    advice:
      'Give each user ID to one customer: check the metadata of your Stripe customers and the customers created by API. Grants, overrides and usage are shared when one is left.',
  },
  'override-left-out': {
    message: 'The customer’s override of {slug} does not fit the deployed version and was ignored',
    advice: 'The value from the plans applies. Change the override on the customer page.',
  },
  'workflow-failed': {
    message: 'The workflow {slug} failed and was skipped',
    advice: 'Open the event in the console to see the error and the logs.',
  },
  'workflow-stopped': {
    message: 'The workflow {slug} exceeded a limit or could not start in time, and was skipped',
    advice:
      'All workflows of a check share 250 ms. Look for long loops. The event’s execution gives the reason.',
  },
  'workflow-result-ignored': {
    message: 'Part of a workflow’s result was ignored: {slug}',
    advice: 'Return only plan slugs and property values that the deployed version has.',
  },
  'workflow-disabled': {
    message:
      'The workflow {slug} is disabled in this environment because at least half of its runs were stopped',
    advice:
      'Fix the code and deploy it. The workflow is tried again after an hour, or at once if you enable it in the console.',
  },
  'workflows-unavailable': {
    message: 'Workflows could not run and were skipped',
    advice: 'No action is needed. Workflows resume when the runner is available.',
  },
  'explain-needs-secret-key': {
    message: 'Explanations require a secret key',
    advice: 'The response has no explanation. Call from your server with a secret key.',
  },
  'identifier-needs-secret-key': {
    message: 'userIdentifier requires a secret key, so the subject was treated as anonymous',
    advice: 'Send a userJwt from browsers and apps, or call from your server with a secret key.',
  },
  'jwt-integration-missing': {
    message: anonymous('No JWT integration is set up'),
    advice: 'Add a JWT integration for your auth provider under Integrations.',
  },
  'jwt-too-large': {
    message: anonymous('The token is larger than 8 KiB'),
    advice: 'Issue tokens with fewer claims for these calls.',
  },
  'jwt-malformed': {
    message: anonymous('The token is not a signed JSON Web Token in compact form'),
    advice: 'Send only the token: three parts separated by dots, without a prefix such as Bearer.',
  },
  'jwt-algorithm-not-allowed': {
    message: anonymous('The token’s algorithm is not supported or does not match the key'),
    advice:
      'Sign with RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 or EdDSA, whichever matches the integration’s key.',
  },
  'jwt-key-unknown': {
    message: anonymous('The token’s key ID (kid) matches no JWT integration'),
    advice:
      'After a key rotation, add the new public key to the integration, or give it the address of your provider’s JWKS, which is fetched again within a minute.',
  },
  'jwt-signature-invalid': {
    message: anonymous('The token’s signature matches no JWT integration’s key'),
    advice: 'Check that the integration’s public key belongs to your signing key.',
  },
  'jwt-issuer-mismatch': {
    message: anonymous('The token’s issuer (iss) does not match the integration'),
    advice: 'Compare the token’s iss with the integration. They must be identical.',
  },
  'jwt-audience-mismatch': {
    message: anonymous('The token’s audience (aud) does not match the integration'),
    advice: 'Compare the token’s aud with the integration.',
  },
  'jwt-expiry-missing': {
    message: anonymous('The token has no expiry (exp)'),
    advice: 'Add exp to your tokens.',
  },
  'jwt-expired': {
    message: anonymous('The token has expired (exp)'),
    advice: 'Get a new token and retry.',
  },
  'jwt-lifetime-too-long': {
    message: anonymous('The token expires (exp) more than 24 hours from now'),
    advice: 'Issue tokens that expire within 24 hours.',
  },
  'jwt-not-yet-valid': {
    message: anonymous('The token is not valid yet (nbf)'),
    advice: 'Check the issuer’s clock.',
  },
  'jwt-claim-missing': {
    message: anonymous('The token has no claim that identifies the customer'),
    advice: 'Add the claim that the integration names, or choose another claim there.',
  },
  'jwt-claim-invalid': {
    message: anonymous('The claim’s value is not what the integration expects, an email or a customer ID'),
    advice:
      'Check which claim the integration reads and how it is looked up. White space around the value is not allowed.',
  },
  'jwt-email-unverified': {
    message: anonymous('The token says that its email is not verified (email_verified)'),
    advice:
      'Verify the user’s email with your auth provider. If the provider always sends false, accept unverified emails in the integration.',
  },
} as const satisfies Record<string, WarningEntry>;

export type WarningCode = keyof typeof WARNINGS;

/** @param slug what the message is about, if it contains one: the feature's slug, or text of a caller or a program, which is escaped */
export function warningOf(code: WarningCode, slug = ''): { code: WarningCode; message: string } {
  return { code, message: WARNINGS[code].message.replace('{slug}', () => escapeText(slug)) };
}

/** Why a subject is anonymous, for calls that refuse anonymous subjects. */
export function reasonOf({ message }: { readonly message: string }): string {
  return message.replace(CONSEQUENCE, '');
}
