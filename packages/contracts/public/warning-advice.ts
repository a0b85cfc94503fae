/** For the documentation: the effect of each warning on the response, and what to do about it. */
import type { WarningCode } from './warnings.ts';

export const WARNING_ADVICE: Readonly<Record<WarningCode, string>> = {
  'nothing-deployed': 'The response has no features. Deploy a version to the environment.',
  'query-ignored': 'Remove them, or check their spelling.',
  'feature-unknown':
    'The response omits the feature. Check the slug, or deploy a version that has the feature.',
  'context-left-out':
    'OpenFeature only. Workflows and events receive the first 20 attributes that are text, a number, true or false, with names of at most 100 characters and together at most 4 KiB. Send fewer, or put what workflows need first.',
  'no-targeting-key':
    'OpenFeature with a secret key only. Set the targetingKey of the evaluation context to your customer.',
  'entity-needs-secret-key':
    'Anyone can send any entityId with a public key. Check and count for entities on your server, with a secret key.',
  'entity-required':
    'Send the entityId, such as the ID of the team member, to decide with the limit of each, too.',
  'snapshot-stale': 'A recent deployment or key revocation may not be applied yet. No action is needed.',
  'usage-unknown': 'No region responded. Retry, or decide in your code whether to allow the customer.',
  'usage-stale':
    'Actual usage may be higher than the meters show. Reads return to normal when a region responds. No action is needed.',
  'usage-incomplete': 'Actual usage may be higher than the meters show. No action is needed.',
  'resource-id-missing':
    'Send the ID of what is counted, such as a seat or a device, as resourceId instead of by. Without it, nothing is counted, and accepted is false under a limit.',
  'customer-facts-unknown': 'The response uses the plans that could be read. No action is needed.',
  'customer-facts-stale':
    'The response uses what was confirmed within the last 24 hours, while usage cannot be read. No action is needed.',
  'customer-not-found':
    'The response uses the plans granted to all authenticated users. Check the ID. Live environments only see live-mode customers.',
  'customer-in-other-mode':
    'Use a test environment’s key for test-mode customers, or create the customer in live mode. The response uses the customer’s other plans.',
  'email-ambiguous':
    'Anyone can enter any email at a Stripe checkout. Check by customer ID, or confirm on the customer page in the console which Stripe customer owns the email. Grants, overrides and usage move only then.',
  'email-belongs-to-stripe-customer':
    'If both are one customer, say so: with “stripe” in the call that saves the customer, by metadata of the Stripe customer that names the customer’s ID, or with “Same customer” on the customer page.',
  'user-id-ambiguous':
    'Give each user ID to one customer: check the metadata of your Stripe customers and the customers created by API. Grants, overrides and usage are shared when one is left.',
  'override-left-out': 'The value from the plans applies. Change the override on the customer page.',
  'workflow-failed': 'Open the event in the console to see the error and the logs.',
  'workflow-stopped':
    'All workflows of a check share 250 ms. Look for long loops. The event’s execution gives the reason.',
  'workflow-result-ignored': 'Return only plan slugs and property values that the deployed version has.',
  'workflow-disabled':
    'Fix the code and deploy it. The workflow is tried again after an hour, or at once if you enable it in the console.',
  'workflows-unavailable': 'No action is needed. Workflows resume when the runner is available.',
  'explain-needs-secret-key': 'The response has no explanation. Call from your server with a secret key.',
  'identifier-needs-secret-key':
    'Send a userJwt from browsers and apps, or call from your server with a secret key.',
  'jwt-integration-missing': 'Add a JWT integration for your auth provider under Integrations.',
  'jwt-too-large': 'Issue tokens with fewer claims for these calls.',
  'jwt-malformed': 'Send only the token: three parts separated by dots, without a prefix such as Bearer.',
  'jwt-algorithm-not-allowed':
    'Sign with RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 or EdDSA, whichever matches the integration’s key.',
  'jwt-key-unknown':
    'After a key rotation, add the new public key to the integration, or give it the address of your provider’s JWKS, which is fetched again within a minute.',
  'jwt-signature-invalid': 'Check that the integration’s public key belongs to your signing key.',
  'jwt-issuer-mismatch': 'Compare the token’s iss with the integration. They must be identical.',
  'jwt-audience-mismatch': 'Compare the token’s aud with the integration.',
  'jwt-expiry-missing': 'Add exp to your tokens.',
  'jwt-expired': 'Get a new token and retry.',
  'jwt-lifetime-too-long': 'Issue tokens that expire within 24 hours.',
  'jwt-not-yet-valid': 'Check the issuer’s clock.',
  'jwt-claim-missing': 'Add the claim that the integration names, or choose another claim there.',
  'jwt-claim-invalid':
    'Check which claim the integration reads and how it is looked up. White space around the value is not allowed.',
  'jwt-email-unverified':
    'Verify the user’s email with your auth provider. If the provider always sends false, accept unverified emails in the integration.',
};
