/**
 * The warnings of successful responses of the public API. The Worker and the API documentation both read this table. A code
 * never changes its meaning; its message may.
 */

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
    advice: 'The answer has no features. Deploy a version to the environment.',
  },
  'feature-unknown': {
    message: 'There is no feature with the slug {slug} in this version',
    advice:
      'The feature is left out of the answer. Check the slug, or deploy a version that has the feature.',
  },
  'snapshot-stale': {
    message: 'The environment could not be refreshed; the answer may be outdated',
    advice:
      'A deployment or a revoked key of the last minutes may be missing. Nothing to do: it ends by itself.',
  },
  'usage-unknown': {
    message: 'The usage of this customer could not be read, so meters are answered as if unused',
    advice: 'No data location answered. Decide whether to let the customer pass, or ask again.',
  },
  'usage-incomplete': {
    message: 'A data location that may know of more usage could not be asked yet',
    advice: 'The true usage may be higher than the meters say. It ends by itself.',
  },
  'customer-facts-unknown': {
    message:
      'What is known of this customer (subscriptions, and what was granted by hand or overridden) could not be read, and may be missing',
    advice: 'The answer follows from the plans that are known. It ends by itself.',
  },
  'customer-not-found': {
    message: 'No connected Stripe account has a customer with this id in the mode of this environment',
    advice:
      'The answer follows from the plans that every authenticated user has. Check the id; live environments know customers of live mode only.',
  },
  'email-ambiguous': {
    message:
      'Several customers have this email: the plans of all of them count, and usage belongs to the first one',
    advice:
      'Anyone can enter an email at a Stripe checkout. Ask by customer id, or confirm on the customer page in the console which Stripe customer the email belongs to. Grants, overrides and usage move only then.',
  },
  'override-left-out': {
    message: 'A value set by hand for this customer does not fit the property {slug} of this version',
    advice: 'The value that the plans say holds. Set another value for the customer.',
  },
  'workflow-failed': {
    message: 'The workflow {slug} failed, so the answer was decided without it',
    advice: "Open the event in the console: its execution has the error and the code's logs.",
  },
  'workflow-stopped': {
    message: 'The workflow {slug} was stopped before it ended, so the answer was decided without it',
    advice:
      'All workflows of a check have 250 ms. Look for loops in the code; the execution in the event says which budget it exceeded.',
  },
  'workflow-result-ignored': {
    message: 'A part of a workflow result was ignored: {slug}',
    advice: "Return slugs of plans and values of properties that the environment's version has.",
  },
  'workflow-disabled': {
    message:
      'The workflow {slug} is disabled in this environment, because it was stopped five times in a row',
    advice: 'Correct the code, deploy it, and enable the workflow again in the console.',
  },
  'workflows-unavailable': {
    message: 'Workflows could not run, so the answer was decided without them',
    advice: 'No action is needed: workflows run again once the runner is back.',
  },
  'explain-needs-secret-key': {
    message: 'Explanations are given to secret keys only',
    advice: 'The answer has no explanation. Ask with a secret key, from a server.',
  },
  'identifier-needs-secret-key': {
    message: 'userIdentifier is trusted from a secret key only, so the subject was treated as anonymous',
    advice: 'Send a userJwt from browsers and apps, or ask from a server with a secret key.',
  },
  'jwt-integration-missing': {
    message: anonymous('No JWT integration is set up'),
    advice: 'Add the issuer of your tokens under Integrations.',
  },
  'jwt-too-large': {
    message: anonymous('The token is larger than 8 KiB'),
    advice: 'Issue tokens with fewer claims for these calls.',
  },
  'jwt-malformed': {
    message: anonymous('The token is not a signed JSON Web Token in compact form'),
    advice: 'Send the token alone: three parts with dots between them, without a prefix such as Bearer.',
  },
  'jwt-algorithm-not-allowed': {
    message: anonymous(
      'The token names an algorithm that is not allowed, or that does not fit the key; RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 and EdDSA are',
    ),
    advice: 'Sign with an asymmetric algorithm of the list that fits the key of the integration.',
  },
  'jwt-key-unknown': {
    message: anonymous('The token names a key (kid) that no JWT integration has'),
    advice: 'Add the new public key to the integration, as after a rotation of keys.',
  },
  'jwt-signature-invalid': {
    message: anonymous('No key of the JWT integrations verifies the signature of the token'),
    advice: 'Check that the public key of the integration belongs to the key that signs.',
  },
  'jwt-issuer-mismatch': {
    message: anonymous('The token comes from another issuer (iss) than its integration asks for'),
    advice: 'Compare iss of the token with the integration, to the letter.',
  },
  'jwt-audience-mismatch': {
    message: anonymous('The token is meant for another audience (aud) than its integration asks for'),
    advice: 'Compare aud of the token with the integration.',
  },
  'jwt-expiry-missing': {
    message: anonymous('The token does not say when it expires (exp)'),
    advice: 'Issue tokens with exp.',
  },
  'jwt-expired': {
    message: anonymous('The token has expired (exp)'),
    advice: 'Renew the token, and ask again.',
  },
  'jwt-lifetime-too-long': {
    message: anonymous('The token expires (exp) more than 24 hours from now'),
    advice: 'Issue tokens that live for 24 hours at most.',
  },
  'jwt-not-yet-valid': {
    message: anonymous('The token is not valid yet (nbf)'),
    advice: 'Check the clock of the issuer.',
  },
  'jwt-claim-missing': {
    message: anonymous('The token lacks the claim that its integration asks for'),
    advice: 'Add the claim to the token, or name another claim in the integration.',
  },
  'jwt-claim-invalid': {
    message: anonymous(
      'The claim that the integration asks for does not hold what it is looked up as: an e-mail address, or a Stripe customer id and no e-mail address',
    ),
    advice: 'Check which claim the integration names, and what it is looked up as.',
  },
} as const satisfies Record<string, WarningEntry>;

export type WarningCode = keyof typeof WARNINGS;

/** @param slug of the feature, if the message contains one */
export function warningOf(code: WarningCode, slug = ''): { code: WarningCode; message: string } {
  return { code, message: WARNINGS[code].message.replace('{slug}', () => slug) };
}

/** Why a subject is anonymous, for calls that refuse anonymous subjects. */
export function reasonOf({ message }: { readonly message: string }): string {
  return message.replace(CONSEQUENCE, '');
}
