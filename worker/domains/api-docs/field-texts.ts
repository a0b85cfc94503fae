/** One line of documentation per schema and field of the public API, by path. A test fails on a field without one. */

export const SCHEMA_TEXTS: Readonly<Record<string, string>> = {
  AccessCheckRequest: 'The subject to check: an identifier, a token, or neither for an anonymous session.',
  AccessChecksRequest: 'Up to 100 checks.',
  BatchedCheck: 'The subject of one check: an identifier, a token, or neither for an anonymous session.',
  Consume:
    'Usage to consume in the same call. Like a counter update with enforce: all or nothing, within the limit.',
  CounterUpdateRequest: 'Usage to add to or subtract from a customer’s count.',
  CounterUpdatesRequest: 'Up to 100 counter updates.',
  SaveCustomerRequest:
    'The customer’s name, email and user ID, and the Stripe customer that it is. Fields that are left out stay as they are.',
  StripeSource: 'A customer of a connected Stripe account.',
  SetGrantRequest: 'Why the plan is granted, and until when.',
  SetOverrideRequest: 'The value, why it applies, and until when.',
  MeterCorrectionRequest: 'Usage to add to or subtract from a customer’s count, and why.',
  ChangeCustomersRequest: 'Up to 100 changes.',
  CustomerChange: 'One change: the fields of the call that makes it alone, with those of its path.',
  CustomerAnswer: 'A customer in the key’s environment.',
  CustomerChangeAnswer: 'Whether anything changed.',
  ChangeCustomersAnswer: 'The result of each change.',
  ConfiguredValue: 'A property’s value as set by a plan or default.',
  AccessCheckAnswer: 'What the subject can do. Denied is a 200, not an error.',
  AccessChecksAnswer: 'The result of each check.',
  AccessCheckResult: 'What the call for the check alone would have returned.',
  CounterUpdateAnswer: 'Whether the update was counted, and the meter after it.',
  CounterUpdatesAnswer: 'The result of each update.',
  CounterUpdateResult: 'What the call for the update alone would have returned.',
  PropertyAnswer: 'A property’s value: a number, boolean or string, or a meter for meterable properties.',
  Meter: 'Whether more usage is allowed. on: always. off: never. metered: while used is below limit.',
  Explanation: 'Why a property has its value.',
  Warning: 'Something you should know about a successful response.',
  CallError: 'Why a request failed.',
  ChangeError: 'Why a change of a batch failed.',
  WarningCode:
    'Machine-readable. A code never changes its meaning. New codes may be added, so take any text; x-warnings explains those of this version.',
  RefusalCode:
    'Machine-readable. A code never changes its meaning and always has the same errorType. New codes may be added, so take any text; x-refusals explains those of this version.',
  Issue: 'One invalid field.',
  OfrepRequest: 'The evaluation context. Fields that this version does not know are ignored.',
  OfrepEvaluations: 'Every flag of the subject.',
  OfrepFlag: 'One flag.',
  OfrepEvaluation: 'One flag, with what is known about the evaluation.',
  OfrepMeter: 'A meter: whether more usage is allowed, and what is left.',
  OfrepError: 'Why a request failed, as OpenFeature names it.',
};

const IDENTIFIER =
  'A Stripe customer ID, an email (case-insensitive), or your own user ID of 1 to 200 characters. No control characters, no outer white space, and no character that normalises to ASCII, such as the Kelvin sign. Compared in Unicode’s normal form NFC.';
const TOKEN = 'A user’s signed JSON Web Token, at most 8 KiB, verified against your JWT integrations.';
const RESOURCE =
  'A unique resource, instead of an amount. Counts once per period, however often you send it. Required by meters that count unique resources. Compared exactly as sent, including outer white space.';
const APPLIED =
  'What was added to the count. Negative if usage was removed, which can be less than requested: usage never drops below 0. 0 if nothing changed.';
const IDEMPOTENCY =
  'Makes retries safe for 24 hours: the same key with the same request counts once and returns the first response. Keys are compared exactly as sent, and scoped to the environment and customer, including all of the customer’s identifiers. Equivalent to the Idempotency-Key header.';
const OCCURRED =
  'When the usage occurred, as a date and time of RFC 3339: at most 24 hours ago and 30 seconds ahead. Defaults to now. The usage counts in the window that contains it. Limits and the returned meter are those of now. With an idempotency key it is part of the request.';
const AGE =
  'How long ago the usage occurred, in milliseconds: at most 86,400,000, which is 24 hours. It counts at the server’s time minus the age, so your clock may be wrong. Instead of occurredAt. With an idempotency key, a retry may send another age or none.';
const PERIOD_TYPE =
  'How usage leaves the count. fixed: a window of that length that ends now and trails behind it, so each use counts for exactly that long (elsewhere called sliding). rolling: windows of that length that follow each other, aligned to the UTC calendar; all usage resets when the next begins (elsewhere called fixed). lifetime: one window without an end.';
const REQUEST_ID = 'Include it when you contact support. Same as the X-Request-Id header.';
const REFUSAL_CODE = 'Why exactly, for programs. Branch on it where errorType is too coarse.';
const REASON =
  'not-in-plan: the feature’s enabled is off. limit-reached: the amount did not fit the limit or exceeded it or, if nothing was counted on the feature, all its meters are used up. Absent if allowed.';
const WARNINGS_FIELD = 'Empty if there is nothing to report.';
const CUSTOMER_IDEMPOTENCY =
  'Makes retries safe for 24 hours: the same key with the same change is made once and returns the first response. Scoped to the environment and customer. Equivalent to the Idempotency-Key header.';
const STRIPE_SOURCE =
  'The Stripe customer that the customer is: its plans, grants, overrides and usage become the customer’s, and its ID an alias. One of each account and mode; another one replaces it. null separates the customer from those that calls named. The same without a call: metadata of the Stripe customer, under the integration’s key, with the customer’s ID.';
const USER_ID =
  'Your application’s own user ID, which becomes an alias of the customer. Usage, grants and overrides under it become the customer’s. No email, and nothing that begins with cus_. null removes it.';
const UNTIL = 'When it ends, in epoch milliseconds. null or left out: it does not end.';
const WHY = 'Why, for the people who read the customer’s history.';
const CORRECTED = 'Amount to add. A negative number reduces usage.';
const METERED_PROPERTY = 'Key of one of the feature’s meterable properties.';

/** Of a subscription in an answer. @param path of the list */
const subscriptionTexts = (path: string) => ({
  [`${path}.id`]: 'The subscription’s ID in Stripe.',
  [`${path}.status`]: 'The subscription’s status in Stripe.',
  [`${path}.isGranting`]: 'Whether it grants plans in this environment.',
  [`${path}.accessEndsAt`]:
    'When that ends by the policy of the Stripe integration, although the status stays; null: it does not.',
  [`${path}.reason`]:
    'What the policy of the Stripe integration says about its state, for people; null: nothing, so Stripe’s status decides.',
  [`${path}.trialEndAt`]: 'When the trial ends; null without one.',
  [`${path}.cancelAt`]: 'When it is going to be canceled; null if it is not.',
  [`${path}.currentPeriodEndAt`]: 'When the current period ends; null if unknown.',
  [`${path}.isPaused`]: 'Whether Stripe collects no payments for it. Its status stays as it is.',
  [`${path}.items`]: 'What is subscribed to.',
  [`${path}.items.product`]: 'The product’s ID in Stripe.',
  [`${path}.items.price`]: 'The price’s ID in Stripe; null if it has not been read yet.',
  [`${path}.items.quantity`]: 'How many; null for a metered price, or if it has not been read yet.',
  [`${path}.items.currentPeriodEndAt`]: 'When the item’s paid period ends; null if unknown.',
});

export const FIELD_TEXTS: Readonly<Record<string, string>> = {
  'AccessCheckRequest.userIdentifier': `${IDENTIFIER} Requires a secret key.`,
  'AccessCheckRequest.userJwt': `${TOKEN} A token that cannot be verified is not an error: the subject is anonymous and a warning explains why.`,
  'AccessCheckRequest.consume':
    'Consumes usage in the same call if it fits the limit. Requires a secret key.',
  'AccessCheckRequest.consistency':
    'How fresh meter readings are. local (default): read from the nearest region. bounded: up to one second old. strict: read from the home region.',
  'AccessCheckRequest.features':
    'Slugs of the features to return; all if omitted. Unknown slugs are omitted with a warning.',
  'AccessCheckRequest.context':
    'What your application knows about the situation, such as a device or a page, for workflows, which receive it as input.context. Recorded with the event. At most 20 entries and 4 KiB. Do not reuse a response for another context.',
  'AccessCheckRequest.context.*': 'Text, a number, true or false.',
  'AccessCheckRequest.include':
    'subscriptions: return the state of the customer’s subscriptions as customer.subscriptions.',

  'AccessChecksRequest.features':
    'Slugs of the features to return in each check; all if omitted. Unknown slugs are omitted with a warning.',
  'AccessChecksRequest.checks':
    'Each is validated, limited, billed and recorded as a call of its own. A customer may be named twice.',
  'BatchedCheck.userIdentifier': `${IDENTIFIER} Requires a secret key.`,
  'BatchedCheck.userJwt': `${TOKEN} A token that cannot be verified is not an error: the subject is anonymous and a warning explains why.`,
  'BatchedCheck.context':
    'What your application knows about the situation, for workflows, as in a single check. At most 20 entries and 4 KiB.',
  'BatchedCheck.context.*': 'Text, a number, true or false.',

  'Consume.feature': 'The feature’s slug.',
  'Consume.property': METERED_PROPERTY,
  'Consume.by': 'Amount to consume. Defaults to 1.',
  'Consume.resourceId': RESOURCE,
  'Consume.idempotencyKey': IDEMPOTENCY,
  'Consume.occurredAt': OCCURRED,
  'Consume.ageMs': AGE,

  'CounterUpdateRequest.userIdentifier': IDENTIFIER,
  'CounterUpdateRequest.userJwt': `${TOKEN} A token that cannot be verified is an error here: there is no customer to count for.`,
  'CounterUpdateRequest.feature': 'The feature’s slug.',
  'CounterUpdateRequest.property': METERED_PROPERTY,
  'CounterUpdateRequest.by': 'Amount to add. Defaults to 1. Use a negative amount to reduce usage.',
  'CounterUpdateRequest.resourceId': RESOURCE,
  'CounterUpdateRequest.release': 'Releases the resource.',
  'CounterUpdateRequest.idempotencyKey': IDEMPOTENCY,
  'CounterUpdateRequest.enforce':
    'Counts the amount only if it fits the limit. By default usage is counted beyond the limit too.',
  'CounterUpdateRequest.occurredAt': OCCURRED,
  'CounterUpdateRequest.ageMs': AGE,

  'CounterUpdatesRequest.updates':
    'Each is validated, limited, billed and recorded as a call of its own. Those of one identifier are made in order.',

  'ConfiguredValue.state':
    'on: unlimited. off: never allowed. metered: allowed while usage is below the limit.',
  'ConfiguredValue.meter': 'How usage is limited.',
  'ConfiguredValue.meter.limit': 'The limit per period.',
  'ConfiguredValue.meter.periodType': PERIOD_TYPE,
  'ConfiguredValue.meter.periodCount': 'Number of hours, days or months.',
  'ConfiguredValue.meter.periodLength': 'Absent for lifetime.',
  'ConfiguredValue.meter.uniqueResourceIds': 'Whether unique resources are counted instead of amounts.',

  'AccessCheckAnswer.status': 'Always success.',
  'AccessCheckAnswer.requestId': REQUEST_ID,
  'AccessCheckAnswer.version': 'The deployed version; null if nothing is deployed.',
  'AccessCheckAnswer.version.artifactId': 'ID of the deployed artifact.',
  'AccessCheckAnswer.version.number':
    'Version number; null while the preview environment has changes that are not in a version yet.',
  'AccessCheckAnswer.asOf': 'Time of the decision, in epoch milliseconds.',
  'AccessCheckAnswer.validUntil':
    'When the response expires from your cache, in epoch milliseconds: at the next meter reset, at token expiry, or when a manual grant or override ends; at most 60 seconds after asOf.',
  'AccessCheckAnswer.identity': 'How the subject was identified.',
  'AccessCheckAnswer.identity.isAuthenticated': 'False for an anonymous session.',
  'AccessCheckAnswer.identity.method': 'What identified the subject.',
  'AccessCheckAnswer.customer': 'The subject’s customer and plans.',
  'AccessCheckAnswer.customer.isCustomer': 'Whether the subject is a customer in your payment provider.',
  'AccessCheckAnswer.customer.plans': 'Slugs of the plans that apply.',
  'AccessCheckAnswer.customer.quantities':
    'The quantities that plans come with, by slug: a plan’s numbers and limits are multiplied by each of them before plans are merged. Absent if every plan counts once.',
  'AccessCheckAnswer.customer.quantities.*':
    'One plan’s quantities, ascending. Two of the same are listed only if values add up.',
  'AccessCheckAnswer.customer.subscriptions':
    'With include: the subscriptions that have not ended, as last read from Stripe, whether they grant plans or not. Empty without any.',
  ...subscriptionTexts('AccessCheckAnswer.customer.subscriptions'),
  'AccessCheckAnswer.features': 'Features by slug.',
  'AccessCheckAnswer.features.*': 'One feature.',
  'AccessCheckAnswer.features.*.properties':
    'Properties by key. Every feature includes a boolean property named enabled.',
  'AccessCheckAnswer.features.*.allowed':
    'Whether the subject may use the feature: it is enabled and, if it has meters, not all are used up. With consume on this feature, accepted decides instead of what is left. Other properties that are off decide nothing.',
  'AccessCheckAnswer.features.*.reason': REASON,
  'AccessCheckAnswer.consumed': 'With consume: whether the amount was consumed, and the meter after it.',
  'AccessCheckAnswer.consumed.accepted':
    'False if the amount did not fit, the property is off, or a meter of unique resources got no resourceId. Nothing was consumed.',
  'AccessCheckAnswer.consumed.replayed':
    'True if the idempotency key was used before. This repeats the first response.',
  'AccessCheckAnswer.consumed.applied': APPLIED,
  'AccessCheckAnswer.warnings': WARNINGS_FIELD,
  'AccessCheckAnswer.explanation': 'With explain=1 and a secret key: one entry per property.',
  'AccessCheckAnswer.names': 'With explain=1 and a secret key: by which names the call found its customer.',
  'AccessCheckAnswer.names.asked': 'What the call named, in its canonical spelling.',
  'AccessCheckAnswer.names.customer': 'Who it is: usage is counted for this customer.',
  'AccessCheckAnswer.names.aliases':
    'Further names of the customer: emails, user IDs and Stripe customer IDs.',
  'AccessCheckAnswer.names.sharedWith':
    'Other customers that have the name, whose plans apply too. Empty, except for an email or user ID that several have.',

  'AccessChecksAnswer.status': 'Always success: what failed has its error in results.',
  'AccessChecksAnswer.requestId': REQUEST_ID,
  'AccessChecksAnswer.results':
    'In the order of the checks. Each has a requestId of its own; status tells success from error.',

  'CounterUpdateAnswer.status': 'Always success.',
  'CounterUpdateAnswer.requestId': REQUEST_ID,
  'CounterUpdateAnswer.accepted':
    'False if enforce was set and the amount did not fit or the property is off, or if a meter of unique resources got no resourceId. Nothing was counted.',
  'CounterUpdateAnswer.replayed':
    'True if the idempotency key was used before. This repeats the first response, and nothing more was counted.',
  'CounterUpdateAnswer.applied': APPLIED,
  'CounterUpdateAnswer.allowed':
    'Whether plans and overrides allow this usage: the feature is enabled, and the amount was accepted within the limit. False for usage that was counted beyond the limit.',
  'CounterUpdateAnswer.reason': REASON,
  'CounterUpdateAnswer.meter': 'The meter after the update.',
  'CounterUpdateAnswer.warnings': WARNINGS_FIELD,

  'CounterUpdatesAnswer.status': 'Always success: what failed has its error in results.',
  'CounterUpdatesAnswer.requestId': REQUEST_ID,
  'CounterUpdatesAnswer.results':
    'In the order of the updates. Each has a requestId of its own; status tells success from error.',

  'Meter.state': 'on, off or metered. A limit is only present when metered.',
  'Meter.allowed': 'Whether more usage is allowed now.',
  'Meter.limit': 'The limit per period.',
  'Meter.used':
    'Usage in the current period. Can exceed the limit if updates were not enforced. When on or off: usage in the period of the meter that a disabled feature turns off, of the property’s metered default, or of all time; absent from checks that read no usage.',
  'Meter.remaining': 'What is left of the limit. Never below 0.',
  'Meter.periodType': PERIOD_TYPE,
  'Meter.periodCount': 'Number of hours, days or months; null for lifetime.',
  'Meter.periodLength': 'Null for lifetime.',
  'Meter.resetsAt': 'When usage next resets or expires, in epoch milliseconds; null if never.',

  'Explanation.feature': 'The feature’s slug.',
  'Explanation.property': 'The property’s key.',
  'Explanation.value': 'The value that applies.',
  'Explanation.used': 'Usage of a meterable property, as in Meter. Absent if usage could not be read.',
  'Explanation.decidedBy':
    'Slugs of the plans that set this value, "default" if no plan sets it, or the override that takes precedence.',
  'Explanation.decidedBy.override': 'What overrides the plans.',
  'Explanation.reason': 'A human-readable explanation.',
  'Explanation.candidates': 'The value from each of the subject’s plans.',
  'Explanation.candidates.plan': 'The plan’s slug.',
  'Explanation.candidates.value':
    'The value that the plan sets, times the quantity if the plan is linked that way.',
  'Explanation.candidates.from': 'Why the subject has the plan.',
  'Explanation.candidates.from.kind':
    'anonymous-sessions: granted to everyone who isn’t signed in. authenticated-users: granted to everyone who is signed in. grant: granted manually. subscription: from a subscribed product. workflow: added by a workflow.',
  'Explanation.candidates.from.integrationId': 'The connected Stripe account.',
  'Explanation.candidates.from.productId': 'The product linked to the plan.',
  'Explanation.candidates.from.priceId':
    'The price linked to the plan. Absent if the plan is linked to the whole product.',
  'Explanation.candidates.from.quantity':
    'What the plan’s numbers and limits are multiplied by. Absent unless the plan is linked times its quantity.',
  'Explanation.candidates.from.subscriptionId': 'The subscription that contains the product.',
  'Explanation.candidates.from.reason':
    'What the policy of the Stripe integration says about the subscription’s state, if anything.',
  'Explanation.candidates.from.status': 'The subscription’s status in Stripe.',
  'Explanation.candidates.from.workflow': 'The workflow’s name.',

  'OfrepRequest.context':
    'Whom to evaluate for. Flat fields are given to workflows, as context of an access check: the first that fit 20 and 4 KiB, the others are left out with a warning. Nested fields are ignored.',
  'OfrepRequest.context.targetingKey': `${IDENTIFIER} Names the user to secret keys. Without it and userJwt, the subject is anonymous. With a public key the subject is anonymous, and the metadata has a warning.`,
  'OfrepRequest.context.userJwt': `${TOKEN} Identifies the user with any key, and takes precedence over targetingKey.`,
  'OfrepRequest.*': 'Ignored.',
  'OfrepRequest.context.*': 'A field of your own.',
  'OfrepEvaluations.flags':
    'In the order of features: feature is whether it is allowed, feature.property a value.',
  'OfrepEvaluations.metadata':
    'What applies to all flags: isAuthenticated, plans, validUntil and, if there are any, the codes and texts of warnings.',
  'OfrepEvaluations.metadata.*': 'Text, a number, true or false.',
  'OfrepFlag.key': 'A feature’s slug, or feature.property.',
  'OfrepFlag.value': 'The value. For a feature: whether it is allowed.',
  'OfrepFlag.reason': 'DEFAULT: the property’s default applies. TARGETING_MATCH: anything else.',
  'OfrepFlag.variant':
    '`on` or `off` of a boolean. Otherwise the slug of a plan that decides the value, `override`, or `default`.',
  'OfrepFlag.metadata': 'Codes and texts of warnings. Empty without any.',
  'OfrepFlag.metadata.*': 'Text, a number, true or false.',
  'OfrepEvaluation.key': 'A feature’s slug, or feature.property.',
  'OfrepEvaluation.value': 'The value. For a feature: whether it is allowed.',
  'OfrepEvaluation.reason': 'DEFAULT: the property’s default applies. TARGETING_MATCH: anything else.',
  'OfrepEvaluation.variant':
    '`on` or `off` of a boolean. Otherwise the slug of a plan that decides the value, `override`, or `default`.',
  'OfrepEvaluation.metadata':
    'isAuthenticated, plans, validUntil and, if there are any, the codes and texts of warnings.',
  'OfrepEvaluation.metadata.*': 'Text, a number, true or false.',
  'OfrepMeter.allowed': 'Whether more usage is allowed now.',
  'OfrepMeter.used': 'Usage in the current period; null if it was not read.',
  'OfrepMeter.limit': 'The limit per period; null if it is on or off.',
  'OfrepMeter.remaining': 'What is left of the limit; null if it is on or off.',
  'OfrepError.key': 'The flag’s key, if the request names one.',
  'OfrepError.errorCode':
    'PARSE_ERROR: the body is not JSON. TARGETING_KEY_MISSING: targetingKey is empty. INVALID_CONTEXT: the context is invalid. FLAG_NOT_FOUND: there is no such feature or property. GENERAL: anything else.',
  'OfrepError.errorDetails': 'What went wrong, for people.',
  'OfrepError.metadata': 'code: why the request failed, one of RefusalCode.',
  'OfrepError.metadata.*': 'Text, a number, true or false.',

  'SaveCustomerRequest.name': 'A display name. null removes it.',
  'SaveCustomerRequest.email': 'An email, which becomes an alias of the customer. null removes it.',
  'SaveCustomerRequest.userId': USER_ID,
  'SaveCustomerRequest.stripe': STRIPE_SOURCE,
  'SaveCustomerRequest.idempotencyKey': CUSTOMER_IDEMPOTENCY,
  'SetGrantRequest.until': UNTIL,
  'SetGrantRequest.reason': WHY,
  'SetGrantRequest.idempotencyKey': CUSTOMER_IDEMPOTENCY,
  'SetOverrideRequest.value': 'A value of the property’s type.',
  'SetOverrideRequest.until': UNTIL,
  'SetOverrideRequest.reason': WHY,
  'SetOverrideRequest.idempotencyKey': CUSTOMER_IDEMPOTENCY,
  'MeterCorrectionRequest.feature': 'The feature’s slug.',
  'MeterCorrectionRequest.property': METERED_PROPERTY,
  'MeterCorrectionRequest.by': CORRECTED,
  'MeterCorrectionRequest.reason': WHY,
  'MeterCorrectionRequest.idempotencyKey': CUSTOMER_IDEMPOTENCY,
  'ChangeCustomersRequest.changes': 'In the order in which those of one customer are made.',
  'CustomerChange.change': 'What to do.',
  'CustomerChange.customer': 'The customer’s ID, or an email that belongs to it.',
  'CustomerChange.name': 'A display name. null removes it.',
  'CustomerChange.email': 'An email, which becomes an alias of the customer. null removes it.',
  'CustomerChange.userId': USER_ID,
  'CustomerChange.stripe': STRIPE_SOURCE,
  'StripeSource.integrationId': 'The ID of the Stripe integration, which is at the top of its page.',
  'StripeSource.customerId': 'The Stripe customer’s ID, cus_….',
  'CustomerChange.plan': 'The plan’s slug.',
  'CustomerChange.feature': 'The feature’s slug.',
  'CustomerChange.property': 'The property’s key.',
  'CustomerChange.value': 'A value of the property’s type.',
  'CustomerChange.by': CORRECTED,
  'CustomerChange.until': UNTIL,
  'CustomerChange.reason': WHY,
  'CustomerChange.idempotencyKey': CUSTOMER_IDEMPOTENCY,

  'CustomerAnswer.status': 'Always success.',
  'CustomerAnswer.requestId': REQUEST_ID,
  'CustomerAnswer.customer': 'Who it is.',
  'CustomerAnswer.customer.id':
    'The customer’s ID. If you asked by an alias, the customer that it belongs to.',
  'CustomerAnswer.customer.name': 'As saved, or as in Stripe; null without one.',
  'CustomerAnswer.customer.email': 'As saved, or as in Stripe; null without one.',
  'CustomerAnswer.customer.userId':
    'Your own user ID, an alias of the customer: as saved, or from the metadata of the Stripe customer; null without one.',
  'CustomerAnswer.customer.createdAt':
    'When it was created by API in this environment, in epoch milliseconds; null if it was not.',
  'CustomerAnswer.grants': 'Granted plans that apply to this environment, including expired ones.',
  'CustomerAnswer.grants.plan': 'The plan’s slug.',
  'CustomerAnswer.grants.reason': WHY,
  'CustomerAnswer.grants.until': 'When it ends; null if never.',
  'CustomerAnswer.grants.createdAt': 'When it was granted.',
  'CustomerAnswer.grants.isActive':
    'Whether it gives the plan now. False once it has ended, if the deployed version lacks the plan, for an add-on without another plan, and if a workflow replaces the customer’s plans.',
  'CustomerAnswer.overrides': 'Overrides that apply to this environment, including expired ones.',
  'CustomerAnswer.overrides.feature': 'The feature’s slug.',
  'CustomerAnswer.overrides.property': 'The property’s key.',
  'CustomerAnswer.overrides.value': 'The value that takes precedence over the plans.',
  'CustomerAnswer.overrides.reason': WHY,
  'CustomerAnswer.overrides.until': 'When it ends; null if never.',
  'CustomerAnswer.overrides.createdAt': 'When it was set.',
  'CustomerAnswer.subscriptions': 'The customer’s subscriptions, as last read from Stripe.',
  ...subscriptionTexts('CustomerAnswer.subscriptions'),
  'CustomerAnswer.access': 'What an access check answers for the customer now.',

  'CustomerChangeAnswer.status': 'Always success.',
  'CustomerChangeAnswer.requestId': REQUEST_ID,
  'CustomerChangeAnswer.customer':
    'The customer’s ID. If you named an alias, the customer that it belongs to.',
  'CustomerChangeAnswer.changed': 'False if everything was as requested already.',
  'CustomerChangeAnswer.replayed':
    'True if the idempotency key was used before. This repeats the first response, and nothing was changed again.',
  'CustomerChangeAnswer.applied': APPLIED,
  'CustomerChangeAnswer.meter': 'With a correction: the meter after it.',
  'ChangeCustomersAnswer.status': 'Always success. A change that failed has a result of its own.',
  'ChangeCustomersAnswer.requestId': REQUEST_ID,
  'ChangeCustomersAnswer.results': 'For each change, in order, what the call for it would have answered.',

  'Warning.code': 'Machine-readable. New codes may be added.',
  'Warning.message': 'Human-readable. The wording may change.',

  'ChangeError.status': 'Always error.',
  'ChangeError.requestId': REQUEST_ID,
  'ChangeError.errorType': 'Machine-readable. Each type has one HTTP status.',
  'ChangeError.code': REFUSAL_CODE,
  'ChangeError.message': 'Human-readable. The wording may change.',
  'ChangeError.issues': 'The invalid fields, if any.',
  'ChangeError.retryAfterMs':
    'With rate-limited: the milliseconds after which the change can be sent again, together with those before it.',

  'CallError.status': 'Always error.',
  'CallError.requestId': REQUEST_ID,
  'CallError.errorType': 'Machine-readable. Each type has one HTTP status.',
  'CallError.code': REFUSAL_CODE,
  'CallError.message': 'Human-readable. The wording may change.',
  'CallError.issues': 'The invalid fields, if any.',

  'Issue.path': 'Path of the field, with dots for nested fields; empty for the whole request.',
  'Issue.message': 'What is wrong with it.',
};
