/** For the documentation: what each code of a refusal means, and what to do about it. */
import type { RefusalCode } from './refusals.ts';

interface RefusalText {
  readonly meaning: string;
  readonly advice: string;
}

export const REFUSAL_TEXTS: Readonly<Record<RefusalCode, RefusalText>> = {
  'invalid-field': {
    meaning: 'A field of the body, the path, the query or a header is invalid.',
    advice: 'Correct what issues names.',
  },
  'body-incomplete': {
    meaning: 'The connection closed before the body was complete.',
    advice: 'Send the request again.',
  },
  'body-malformed': { meaning: 'The body is not JSON in UTF-8.', advice: 'Send what a JSON library writes.' },
  'body-too-complex': {
    meaning: 'The body is nested deeper or has more values than any valid one.',
    advice: 'Check what your code puts into it.',
  },
  'token-not-verified': {
    meaning: 'Usage cannot be counted because userJwt cannot be verified. The message says why.',
    advice: 'Get a new token, or correct the JWT integration.',
  },
  'subject-anonymous': {
    meaning: 'Usage cannot be counted for an anonymous session.',
    advice: 'Send a userIdentifier or a valid userJwt.',
  },
  'nothing-deployed': {
    meaning: 'Nothing is deployed to the environment, so nothing can be counted.',
    advice: 'Deploy a version.',
  },
  'feature-unknown': {
    meaning: 'The deployed version has no such feature.',
    advice: 'Check the slug, or deploy a version that has it.',
  },
  'property-unknown': {
    meaning: 'There is no such property.',
    advice: 'Check feature and property, or deploy a version that has it.',
  },
  'property-not-meterable': {
    meaning: 'Only meterable properties count usage.',
    advice: 'Name another one.',
  },
  'occurred-too-long-ago': {
    meaning: 'occurredAt is more than 24 hours ago.',
    advice: 'Report usage within a day, or adjust the meter instead.',
  },
  'occurred-in-future': {
    meaning: 'occurredAt is more than 30 seconds in the future.',
    advice: 'Set your clock, or send ageMs instead.',
  },
  'count-too-large': { meaning: 'The count would exceed what a meter can hold.', advice: 'Check by.' },
  'plan-unknown': { meaning: 'There is no such plan.', advice: 'Check the slug.' },
  'meter-unknown': {
    meaning: 'The deployed version has no such meter to adjust.',
    advice: 'Check feature and property, or deploy a version that has it.',
  },
  'meter-counts-resources': {
    meaning:
      'The meter counts unique resources: it cannot be adjusted by an amount, and nothing of it can be held.',
    advice: 'Take and release resources with counter updates.',
  },
  'entity-required': {
    meaning: 'The customer’s plan limits nothing but each entity, and the call has no entityId.',
    advice: 'Send the entityId that the usage is of.',
  },
  'value-invalid': { meaning: 'The value does not fit the property.', advice: 'Correct what issues names.' },
  'until-in-past': {
    meaning: 'The end of a grant or override is in the past.',
    advice: 'Send a later one, or revoke it.',
  },
  'stripe-customer-unknown': {
    meaning: 'The integration has no customer with this ID in the environment’s mode.',
    advice:
      'Check both IDs. Live environments only see live-mode customers, and a new customer takes a moment to arrive.',
  },
  'price-not-sold': {
    meaning:
      'The price gives no plan of the deployed version and is no top-up, is archived, or is of test mode in a live environment.',
    advice: 'Link it to a plan and deploy, or check its ID.',
  },
  'key-missing': { meaning: 'The request has no API key.', advice: 'Send one in the Authorization header.' },
  'key-malformed': { meaning: 'The text of the API key is mistyped or cut off.', advice: 'Copy it again.' },
  'key-unknown': {
    meaning: 'The API key is unknown or was revoked.',
    advice: 'Use one of the environment’s keys.',
  },
  'key-revoked': {
    meaning: 'The API key was revoked moments ago.',
    advice: 'Use another of the environment’s keys.',
  },
  'secret-key-required': {
    meaning: 'A public key cannot do this.',
    advice: 'Call from your server with a secret key.',
  },
  'managing-key-required': {
    meaning: 'The key may not change customers.',
    advice: 'Create a secret key with the permission to manage customers.',
  },
  'path-unknown': { meaning: 'The API has no such path.', advice: 'Check the URL.' },
  'flag-unknown': {
    meaning: 'OpenFeature only: the deployed version has no such feature or property.',
    advice: 'Check the flag’s key, or deploy a version that has it.',
  },
  'customer-unknown': {
    meaning: 'There is no such customer.',
    advice: 'Check the ID, or create the customer first.',
  },
  'environment-unknown': {
    meaning: 'The key’s environment was deleted.',
    advice: 'Use the key of another one.',
  },
  'grant-unknown': {
    meaning: 'Another call revoked the grant at the same time.',
    advice: 'No action is needed.',
  },
  'override-unknown': {
    meaning: 'Another call removed the override at the same time.',
    advice: 'No action is needed.',
  },
  'balance-unknown': {
    meaning: 'The customer has no such balance.',
    advice: 'Check the ID; listBalances names them all.',
  },
  'hold-unknown': {
    meaning: 'The environment has no such hold, or it ended more than a day ago.',
    advice: 'Check the ID, and settle with a key of the environment in which it was made.',
  },
  'method-not-allowed': {
    meaning: 'The path does not support this method.',
    advice: 'The header Allow lists those that it supports.',
  },
  'nothing-to-give-back': {
    meaning: 'No update of the property under that key has counted an amount within 24 hours.',
    advice: 'Check givesBack. Settle holds, and release resources.',
  },
  'idempotency-key-reused': {
    meaning: 'The idempotency key was used for a different request of the customer within 24 hours.',
    advice: 'Use a new key for each operation.',
  },
  'customer-in-stripe': {
    meaning:
      'The ID or email belongs to a customer of a connected Stripe account, which has their name and email.',
    advice: 'Change them in Stripe.',
  },
  'customer-busy': { meaning: 'Other calls are changing the customer.', advice: 'Retry in a moment.' },
  'customer-limit-reached': {
    meaning: 'The plan’s or the environment’s limit of customers created by API is reached.',
    advice: 'Upgrade, or change existing customers only.',
  },
  'email-taken': {
    meaning: 'The email belongs to another customer.',
    advice: 'Remove it there first, or use another one.',
  },
  'email-has-data': {
    meaning:
      'The email has grants, overrides or usage of its own, so it cannot become a customer’s second name.',
    advice: 'Use it as the ID instead.',
  },
  'user-id-taken': {
    meaning: 'The user ID belongs to another customer.',
    advice: 'Remove it there first, or use another one.',
  },
  'stripe-customer-taken': {
    meaning: 'The Stripe customer is another customer already.',
    advice: 'Send stripe: null for that customer first, or name another Stripe customer.',
  },
  'stripe-customer-needed': {
    meaning:
      'The customer is nobody in the Stripe account, and no Stripe customer can be created that would be it. The message says why.',
    advice: 'Do what the message says, such as setting the metadata key of the integration.',
  },
  'stripe-refused': {
    meaning:
      'Stripe refused the call, or the integration’s key may not make it. The message has Stripe’s reason.',
    advice: 'Correct the key’s permissions, the price or the account’s settings in Stripe.',
  },
  'grant-exists': {
    meaning: 'The customer has this grant already.',
    advice: 'Calls of this version replace it instead, so none answers with this code.',
  },
  'grant-limit-reached': {
    meaning: 'The customer has as many grants as are allowed.',
    advice: 'Revoke one first.',
  },
  'balance-exists': {
    meaning: 'The customer has a balance with this ID, of another amount, property, category or start.',
    advice: 'Use a new ID for each balance, or take back what is too much.',
  },
  'balance-limit-reached': {
    meaning: 'The customer has as many balances as are allowed.',
    advice: 'Give fewer, larger ones. Those that are used up or have ended do not count as open.',
  },
  'override-limit-reached': {
    meaning: 'The customer has as many overrides as are allowed.',
    advice: 'Remove one first.',
  },
  'extension-limit-reached': {
    meaning: 'The hold was extended by an amount 100 times with an idempotency key, or in 100 minutes.',
    advice: 'Settle it and make a new one. What it holds stays held.',
  },
  'hold-over': {
    meaning: 'The hold has ended, so it cannot be extended. A day after its end it cannot be settled either.',
    advice: 'Make a new one; settle within a day.',
  },
  'hold-settled': {
    meaning: 'The hold is settled already, with another amount. The message says with which.',
    advice: 'The first settlement counts. Count what it lacks with a counter update.',
  },
  'set-for-all-environments': {
    meaning: 'The grant or override applies to all environments, which no key may change.',
    advice: 'Change it in the console.',
  },
  'body-too-large': {
    meaning: 'The body is larger than the call allows.',
    advice: 'Send less, or several batches.',
  },
  'content-type-unsupported': {
    meaning: 'The body is not sent as JSON in UTF-8.',
    advice: 'Send Content-Type: application/json.',
  },
  'content-encoding-unsupported': {
    meaning: 'The body is compressed.',
    advice: 'Send it without Content-Encoding.',
  },
  'too-many-calls': {
    meaning: 'The key, or this client of a public key, reached its calls per minute.',
    advice: 'Retry after Retry-After.',
  },
  'too-many-unknown-keys': {
    meaning: 'Too many calls with unknown keys arrive.',
    advice: 'Check the key, and retry after Retry-After.',
  },
  'too-many-changes': {
    meaning: 'The organisation changes customers faster than the API allows.',
    advice: 'Retry after Retry-After; in a batch, after retryAfterMs.',
  },
  'too-many-holds': {
    meaning: 'The customer has 100 open holds.',
    advice: 'Settle what is done; holds that nobody settles end by themselves.',
  },
  'too-many-entities': {
    meaning: 'Usage was counted for 10,000 entities of the customer.',
    advice:
      'Send IDs that stay the same, such as those of users, not of sessions. Known entities can still be used.',
  },
  'too-many-new-customers': {
    meaning: 'The environment reached its new customers per day.',
    advice: 'Retry after Retry-After; existing customers can still be changed.',
  },
  'allowance-used-up': {
    meaning: 'The organisation reached its monthly allowance of API calls.',
    advice: 'Upgrade, or wait until it renews after Retry-After.',
  },
  'key-share-used-up': {
    meaning: 'The public key reached its share of the monthly allowance.',
    advice: 'Secret keys still work; raise the share in the console.',
  },
  'server-error': {
    meaning: 'Something went wrong on our side.',
    advice: 'Retry, and contact support with the request ID if it persists.',
  },
  'environment-unavailable': {
    meaning: 'The key’s environment could not be loaded.',
    advice: 'Retry after Retry-After.',
  },
  'usage-unavailable': {
    meaning: 'No data region answered for the customer’s usage.',
    advice: 'Retry after Retry-After, with an idempotency key when counting.',
  },
  'database-unavailable': {
    meaning: 'The database is temporarily unavailable.',
    advice: 'Retry after Retry-After.',
  },
  'database-silent': {
    meaning: 'The database did not answer in time, so a change may still be made.',
    advice: 'Retry with the same idempotency key.',
  },
  'no-time-left': {
    meaning: 'The call ran out of time before this change was begun.',
    advice: 'Send it again.',
  },
  'stripe-unavailable': {
    meaning: 'Stripe did not answer in time, or has too many calls.',
    advice: 'Try again in a moment, with the same idempotency key.',
  },
};
