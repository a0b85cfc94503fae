/** One line of documentation per schema and field of the public API, by path. A test fails on a field without one. */
import { WARNINGS } from '#contracts/public/warnings';

export const SCHEMA_TEXTS: Readonly<Record<string, string>> = {
  AccessCheckRequest: 'Who is asked about: an identifier or a token, or neither for an anonymous session.',
  Consume: 'Usage to take in the same round trip: as a counter update with enforce, only what fits is taken.',
  CounterUpdateRequest: 'What an identified customer has used, or gives back.',
  ConfiguredValue: 'The value of a property as plans and defaults hold it.',
  AccessCheckAnswer: 'What the subject may do. An answer that says no is a 200 as well.',
  CounterUpdateAnswer: 'Whether it was counted, and the meter after it.',
  PropertyAnswer:
    'The value of a property: a number, true or false, or text; and for a meterable property its meter.',
  Meter:
    'Whether more may be used: on is allowed without limit, off never, metered while used is below limit.',
  Explanation: 'Why a property has its value.',
  Warning: 'Something that the caller should know of an answer that was given all the same.',
  Error: 'Why a request was refused.',
  Issue: 'One field that cannot be accepted.',
};

const IDENTIFIER =
  'A Stripe customer id, an e-mail address (in any case), or any other text of 1 to 200 characters that you know the user by; no control characters.';
const TOKEN = 'A signed JSON Web Token of a user, of at most 8 KiB, verified against your JWT integrations.';
const RESOURCE =
  'Instead of an amount: the id of what is used. It counts once in a period, however often it is sent.';
const IDEMPOTENCY =
  'Makes a retry harmless for 24 hours: the same key with the same request is counted once and answered alike. It belongs to its environment and customer, and all names of a customer are one: for another customer the same key counts again. The header Idempotency-Key means the same.';
const REQUEST_ID = 'Quote it when you ask us about a call. The same as the header X-Request-Id.';
const WARNINGS_FIELD = 'Empty for an ordinary answer.';
const METERED_PROPERTY = 'Key of a meterable property of the feature.';

export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  'AccessCheckRequest.userIdentifier': `${IDENTIFIER} Trusted from a secret key only.`,
  'AccessCheckRequest.userJwt': `${TOKEN} One that cannot be verified is no error: the subject is anonymous, and a warning says why.`,
  'AccessCheckRequest.consume': 'Takes usage in the same round trip, if it fits. Needs a secret key.',
  'AccessCheckRequest.consistency':
    'How fresh the readings of meters are: local (the default) asks the nearest data location, bounded may be up to a second old, strict asks the home location.',
  'AccessCheckRequest.features':
    'Slugs: answer for these features only. An unknown one is left out, with a warning.',

  'Consume.feature': 'Slug of the feature.',
  'Consume.property': METERED_PROPERTY,
  'Consume.by': 'How much to take; 1 unless told.',
  'Consume.resourceId': RESOURCE,
  'Consume.idempotencyKey': IDEMPOTENCY,

  'CounterUpdateRequest.userIdentifier': IDENTIFIER,
  'CounterUpdateRequest.userJwt': `${TOKEN} Here one that cannot be verified is an error: there is nobody to count for.`,
  'CounterUpdateRequest.feature': 'Slug of the feature.',
  'CounterUpdateRequest.property': METERED_PROPERTY,
  'CounterUpdateRequest.by': 'How much was used; 1 unless told. A negative amount gives back.',
  'CounterUpdateRequest.resourceId': RESOURCE,
  'CounterUpdateRequest.release': 'Gives the resource back.',
  'CounterUpdateRequest.idempotencyKey': IDEMPOTENCY,
  'CounterUpdateRequest.enforce':
    'Counts only what fits the limit, all or nothing. Without it usage is counted beyond the limit as well.',

  'ConfiguredValue.state': 'on: without limit. off: never. metered: while usage is below the limit.',
  'ConfiguredValue.meter': 'How usage is limited.',
  'ConfiguredValue.meter.limit': 'A count.',
  'ConfiguredValue.meter.periodType':
    'fixed: in the last so many hours, days or months. rolling: every so many, by the calendar in UTC. lifetime: ever.',
  'ConfiguredValue.meter.periodCount': 'How many hours, days or months.',
  'ConfiguredValue.meter.periodLength': 'Missing for a lifetime.',
  'ConfiguredValue.meter.uniqueResourceIds': 'Whether resources are counted, each once, instead of amounts.',

  'AccessCheckAnswer.status': 'Always success.',
  'AccessCheckAnswer.requestId': REQUEST_ID,
  'AccessCheckAnswer.version': 'What the environment answers from; null while nothing is deployed.',
  'AccessCheckAnswer.version.artifactId': 'Id of what is deployed.',
  'AccessCheckAnswer.version.number': 'Number of the version; null in the preview environment.',
  'AccessCheckAnswer.asOf': 'When it was decided, in epoch milliseconds.',
  'AccessCheckAnswer.validUntil':
    'Until when the answer may be kept, in epoch milliseconds: the next reset of a meter or the end of the token, and 60 seconds at most.',
  'AccessCheckAnswer.identity': 'How the subject was made out.',
  'AccessCheckAnswer.identity.isAuthenticated': 'False for an anonymous session.',
  'AccessCheckAnswer.identity.method': 'What it was made out from.',
  'AccessCheckAnswer.customer': 'What the subject has.',
  'AccessCheckAnswer.customer.isCustomer': 'Whether the subject is known to your payment provider.',
  'AccessCheckAnswer.customer.plans': 'Slugs of the plans that apply.',
  'AccessCheckAnswer.features': 'By slug of the feature.',
  'AccessCheckAnswer.features.*': 'One feature.',
  'AccessCheckAnswer.features.*.properties':
    'By key of the property. Every feature has the property enabled.',
  'AccessCheckAnswer.consumed': 'With consume: whether it fitted and was taken, and the meter after it.',
  'AccessCheckAnswer.consumed.accepted': 'False: it did not fit, and nothing was taken.',
  'AccessCheckAnswer.consumed.replayed': 'True: the idempotency key was known, and this is its first answer.',
  'AccessCheckAnswer.warnings': WARNINGS_FIELD,
  'AccessCheckAnswer.explanation': 'With explain=1 and a secret key: one entry for each property.',

  'CounterUpdateAnswer.status': 'Always success.',
  'CounterUpdateAnswer.requestId': REQUEST_ID,
  'CounterUpdateAnswer.accepted':
    'False: it was to be enforced and did not fit, or the property is off; nothing was counted.',
  'CounterUpdateAnswer.replayed':
    'True: the idempotency key was known. This is the first answer again, and nothing more was counted.',
  'CounterUpdateAnswer.meter': 'The meter after it.',
  'CounterUpdateAnswer.warnings': WARNINGS_FIELD,

  'Meter.state': 'on, off or metered. A property that is on or off has no figures.',
  'Meter.allowed': 'Whether more may be used now.',
  'Meter.limit': 'How much may be used in a period.',
  'Meter.used': 'How much was used in this period. May be beyond the limit where it was not enforced.',
  'Meter.remaining': 'How much is left; never below 0.',
  'Meter.periodType':
    'fixed: in the last so many hours, days or months. rolling: every so many, by the calendar in UTC. lifetime: ever.',
  'Meter.periodCount': 'How many hours, days or months; null for a lifetime.',
  'Meter.periodLength': 'Null for a lifetime.',
  'Meter.resetsAt': 'When usage next falls, in epoch milliseconds; null where nothing resets.',

  'Explanation.feature': 'Slug of the feature.',
  'Explanation.property': 'Key of the property.',
  'Explanation.value': 'What holds.',
  'Explanation.decidedBy':
    'Slugs of the plans that configure this very value; or default, where no plan does; or the override that holds instead.',
  'Explanation.decidedBy.override': 'What set the value, whatever the plans say.',
  'Explanation.reason': 'The same in a sentence, for people.',
  'Explanation.candidates': "What each of the subject's plans says.",
  'Explanation.candidates.plan': 'Slug of the plan.',
  'Explanation.candidates.value': 'What it configures.',
  'Explanation.candidates.from': 'Why the subject has the plan.',
  'Explanation.candidates.from.kind':
    'anonymous-sessions or authenticated-users: everybody has it. grant: granted by hand. subscription: a product subscribed to. workflow: a workflow added it.',
  'Explanation.candidates.from.integrationId': 'The connected Stripe account.',
  'Explanation.candidates.from.productId': 'The product that the plan is linked to.',
  'Explanation.candidates.from.subscriptionId': 'The subscription that has the product.',
  'Explanation.candidates.from.status': "The subscription's status, in Stripe's word.",
  'Explanation.candidates.from.workflow': "The workflow's name.",

  'Warning.code': `For programs; a code never changes its meaning. New ones may come. Today: ${Object.keys(WARNINGS).join(', ')}.`,
  'Warning.message': 'For people; the words may change.',

  'Error.status': 'Always error.',
  'Error.requestId': REQUEST_ID,
  'Error.errorType': 'For programs; it goes with the HTTP status.',
  'Error.message': 'For people; the words may change.',
  'Error.issues': 'The fields that cannot be accepted, where it is about fields.',

  'Issue.path': 'Of the field, with dots for nested ones; empty for the request as a whole.',
  'Issue.message': 'What is wrong with it.',
};
