import { formatLimit } from '#contracts/public/format-limit';

/** The OpenAPI document's prose: the API, each call and each status, in plain paragraphs. */

export const INTRODUCTION = [
  'Check what a customer can do, and count what they use: two calls, both POST, both JSON. Further calls read and change customers.',
  'Denied is a 200, not an error. So is a reached limit. Errors are for requests that fail.',
  'Responses may gain fields and warning codes. Ignore those that you do not know. Existing ones keep their name and meaning in version 1.',
].join('\n\n');

export const KEY_TEXT = [
  'Each API key belongs to one environment. Send it in the header Authorization: Bearer tsr_…',
  'Use secret keys (tsr_sec_…) on your server: they can identify any user and count usage. Public keys (tsr_pub_…) are safe in browsers and apps: they check anonymous sessions, and users with a signed token.',
  'Secret keys can read customers. To change customers, create a secret key with the permission to manage customers. It changes its own environment only, and every change is audited under the key’s name.',
  'Every key has a rate limit per minute, set in the console. The default is 600,000 for a secret key, and 600 per client (an IPv4 address or an IPv6 /64) for a public key. Calls above it return 429 rate-limited. On plans with a monthly allowance, a public key also stops at a share of it, 80% by default. The rest is reserved for secret keys.',
  'Checks of customers whom Tessera has not seen recently near the caller read its database. If an organisation has hundreds of them a second, some are answered without their subscriptions, grants and overrides, with the warning customer-facts-unknown. Nothing is refused.',
].join('\n\n');

export const OPERATION_TEXTS = {
  checkAccess: [
    'Returns the values of every feature for the subject, as set by its plans, and what is left of each meter.',
    'You can cache the response until validUntil. Checks with a recently used key are served near the caller, without a database.',
  ].join('\n\n'),
  checkAccessOfMany: [
    'Makes up to 100 access checks of different subjects, each as the call for it would: for a list of users, or a job that goes through your customers. Results are in the order of the checks; one that fails stops no other, and the response is a 200.',
    'Each check counts as a call towards limits and billing, and has an event of its own. Checks beyond the key’s limit have a rate-limited error. With a public key, identify users by userJwt: a check by userIdentifier is answered for an anonymous session, with a warning. Checks of a batch do not consume usage.',
  ].join('\n\n'),
  updateCounter: [
    'Increases or decreases a customer’s usage of a meterable property and returns the meter. Requires a secret key.',
    'Usage belongs to the customer, not to the plan. When the plan changes, usage stays and counts against the new limit. Send an idempotency key with every update that you may retry. Keys are per environment and customer.',
  ].join('\n\n'),
  updateCounters: [
    'Makes up to 100 counter updates, each as the call for it would. Results are in the order of the updates; one that fails stops no other, and the response is a 200.',
    'Each update counts as a call towards limits and billing. Those of one identifier are made in order. Give each update an idempotency key of its own: after a timeout, send the whole batch again. Updates beyond the key’s limit have a rate-limited error and count nothing.',
  ].join('\n\n'),
  openHold: [
    'Holds an amount before it is used, such as what a call of a model can cost at most. It counts against the limit at once, in every region, as held beside used. Requires a secret key.',
    'Settle the hold with what was used. One that nobody settles ends by itself and has cost nothing. A customer has at most 100 open holds.',
  ].join('\n\n'),
  extendHold: [
    'Adds to a hold, or lets it last longer, for work in several steps. If the amount does not fit, accepted is false and the hold stays as it was.',
    'Send an idempotency key with every amount that you may retry.',
  ].join('\n\n'),
  settleHold: [
    'Ends a hold with what was used of it; 0 releases it. The rest goes back to where it was taken from.',
    'The first settlement counts: the same amount again repeats its response, another one is a conflict. A hold that has ended can be settled for 24 hours, and its amount then counts as of now.',
  ].join('\n\n'),
  evaluateFlags: [
    'Evaluates every feature and property for OpenFeature’s web providers (OFREP 0.3). It is an access check in another shape: recorded, limited and billed as one.',
    'The response has an ETag of its values. With If-None-Match and the same values, it is a 304 without a body, which counts as a call, too.',
  ].join('\n\n'),
  evaluateFlag: [
    'Evaluates one feature or property for OpenFeature’s server providers (OFREP 0.3). It is an access check in another shape: recorded, limited and billed as one.',
    'The key is a feature’s slug, which is whether the feature is allowed, or feature.property, split at the first dot. A meter is an object.',
  ].join('\n\n'),
  listPlans: [
    'Lists the plans that are set to Shown publicly in the deployed version, with features, values and prices. Public keys may call it, so anyone can read what it returns.',
    'Prices are those that Stripe had within the last hour; the call does not ask Stripe. It is free and not recorded.',
  ].join('\n\n'),
  openCheckout: [
    'Opens Stripe’s checkout for a customer: a subscription to a price that gives a plan of the deployed version, or a payment of a top-up. The plan or the balance follows once Stripe reports it, within seconds.',
    'The Stripe customer is the one that the customer is. If there is none in the price’s account, one is created that carries the customer’s ID under the integration’s metadata key, so that both are one. Who subscribes already changes the plan in the portal: a second checkout is a second subscription.',
  ].join('\n\n'),
  previewPurchase:
    'What a price would cost the customer, as Stripe computes it: now, with what is unused of the plan before, and from the next period on. Nothing is changed. A change is taken to be invoiced at once. It replaces the price of the same product, or else that of the plan; an add-on is added beside the plan.',
  openPortal:
    'Opens Stripe’s customer portal, where a customer changes or cancels what it pays for, and its payment method. Stripe’s settings of the portal say what it offers. The address is a credential of the customer: create it when it is needed, and do not store it.',
  readCustomer: [
    'Returns a customer of the key’s environment: by ID, or by a user ID, email or cus_… that belongs to it.',
    'access is what an access check answers for it, read from the database, with the usage of every meter.',
  ].join('\n\n'),
  saveCustomer: [
    'Creates a customer without Stripe, or changes its name and email. Name and email are optional.',
    'The email becomes an alias: calls with it are calls for the customer. A later Stripe customer with the same email takes nothing over. An email that belongs to somebody else, or has grants, overrides or usage of its own, is refused.',
    'If it is the email of the Stripe customer that the customer is, it is not refused but left as it was, and the response says so in ignored. So you can save customers at each sign-in.',
    `An environment takes ${formatLimit(100_000)} new customers a day, and ${formatLimit(1_000_000)} in all. An organisation can make 300 changes at once, and then 20 a second.`,
  ].join('\n\n'),
  grantPlan: [
    'Grants a plan, with a reason and an optional end, or replaces the customer’s grant of it. Applies in the key’s environment, within five seconds everywhere.',
    'The customer must exist: created by API or in Stripe, seen in a call, or granted something before. A plan is named by its slug in the deployed version; one that is not deployed yet by its slug in the workspace.',
  ].join('\n\n'),
  revokePlan:
    'Revokes a granted plan in the key’s environment. Plans by subscription stay. A grant for all environments can be revoked in the console only.',
  setOverride:
    'Sets a property’s value for one customer, with a reason and an optional end. It takes precedence over every plan, and replaces an earlier override in the key’s environment.',
  removeOverride:
    'Removes an override in the key’s environment. The value from the customer’s plans applies again.',
  listBalances: [
    'Lists the customer’s balances, newest first: what they are of, what is used of them and what is left. Without ended, those that can still be drawn from.',
    'What an access check says with include: balances is the same, in the order of drawing, with the quota of the plans.',
  ].join('\n\n'),
  listEntities: [
    'Lists the customer’s entities, such as the members of its team, in the order of their IDs: what each has used of the meters of which a plan limits each, and what is left.',
    'An entity appears with the first usage that is counted for it. Usage of all regions that answer is included; otherwise a warning says so.',
  ].join('\n\n'),
  deleteEntity: [
    'Deletes an entity with its own usage, in all regions, such as when a member leaves. What it used stays part of the customer’s usage. A seat stays until you release it, and calls that name the entity count from 0.',
    'Recorded events and the audit log go on naming it until they are deleted. An entity that is unknown is a 200 with changed: false.',
  ].join('\n\n'),
  readLedger: [
    'Lists what changed what the customer has of a meter, newest first: balances that were given, taken back or lost at their end, and usage that was counted, held or given back, each with what it drew from which balance. For audits, and for what was paid and is not used yet.',
    'It is put together from what is stored. Calls are listed until they are archived, 7 or 30 days after they were recorded, and adjustments and what was taken back for 13 months. What was counted on another meter that costs this one is in that meter’s ledger only, and what rolls over is in none.',
  ].join('\n\n'),
  setBalance: [
    'Gives the customer an amount of a meter beside the quota of its plans, under an ID of your own: an invoice, an order, a campaign. Sent again, it gives nothing more, so a retry is safe without an idempotency key.',
    'What is used is taken from quota and balances in one order, when it is counted: by priority, then what ends first, then promotional before paid, then what started first. Later changes never redraw. Usage above all of them is refused with enforce and consume, and otherwise counted on the quota, where it never uses up a balance.',
    'Amount, property, category and start never change. The end, priority, needsPlan and frozen do, with the same call.',
  ].join('\n\n'),
  takeBackBalance: [
    'Takes back what is not used of a balance, such as after a refund. What is used stays used, and no other balance changes: applied says how much was taken back.',
    'Always send an idempotency key: without one, a retry takes back again.',
  ].join('\n\n'),
  correctMeter: [
    'Adds to a customer’s usage, or reduces it, with a reason. The history shows it as an adjustment.',
    'Counted once for each idempotency key. Without one, a retry counts again.',
  ].join('\n\n'),
  changeCustomers: [
    'Makes up to 100 changes, each as the call for it would. Changes of one customer run in order. Results are in the order of the changes; one that fails stops no other. They apply within five seconds.',
    'If a field of any change is invalid, the whole batch is refused with 400 and nothing is changed.',
  ].join('\n\n'),
} as const;

export const PATH_TEXTS: Readonly<Record<string, string>> = {
  customer:
    'The customer’s ID, or a user ID, email or cus_… that belongs to it, URL-encoded. Write a slash as ~2F, a tilde as ~7E, and the IDs . and .. as ~2E and ~2E~2E.',
  key: 'A feature’s slug, or feature.property, URL-encoded.',
  plan: 'The plan’s slug.',
  feature: 'The feature’s slug.',
  balance: 'The balance’s ID, URL-encoded: your own, or bal_… for one without.',
  entity: 'The entityId of calls, URL-encoded as the customer’s ID is.',
  hold: 'The hold’s ID: hold_….',
  property: 'The property’s key.',
};

export const STATUS_TEXTS: ReadonlyMap<number, string> = new Map([
  [200, 'Success. A denied check is also a 200.'],
  [304, 'The values are those of the ETag that you sent. No body.'],
  [400, 'The request is invalid.'],
  [401, 'The API key is missing, mistyped, unknown or revoked.'],
  [403, 'The key does not allow this.'],
  [404, 'The customer or flag could not be found.'],
  [
    409,
    'The idempotency key was used for another request of this customer, or something belongs to somebody else.',
  ],
  [413, 'The body is too large.'],
  [415, 'The body was not sent as uncompressed JSON in UTF-8.'],
  [429, 'Too many requests, or the monthly allowance is reached.'],
  [500, 'Something went wrong on our side.'],
  [503, 'The environment or the customer’s usage is temporarily unavailable.'],
]);
