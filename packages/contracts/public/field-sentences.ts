/** What several fields of the public API say of themselves, in its documentation. */

export const ENTITY =
  'One of the customer’s own, such as a member of its team: an opaque ID of 1 to 200 characters. Its usage counts within the customer’s, and plans can limit each.';
export const IDENTIFIER =
  'A Stripe customer ID, an email (case-insensitive), or your own user ID of 1 to 200 characters. No control characters, no outer white space, and no character that normalises to ASCII, such as the Kelvin sign. Compared in Unicode’s normal form NFC.';
export const TOKEN = 'A user’s signed JSON Web Token, at most 8 KiB, verified against your JWT integrations.';
export const RESOURCE =
  'A unique resource, instead of an amount. Counts once per period, however often you send it. Required by meters that count unique resources. Compared exactly as sent, including outer white space.';
export const APPLIED =
  'What was added to the count. Negative if usage was removed, which can be less than requested: usage never drops below 0. 0 if nothing changed.';
export const DRAWS =
  'What was taken from each of the customer’s balances, or given back to them. The rest of applied is on the quota of the plans. Absent if it all is.';
export const IDEMPOTENCY =
  'Makes retries safe for 24 hours: the same key with the same request counts once and returns the first response. Keys are compared exactly as sent, and scoped to the environment and customer, including all of the customer’s identifiers. Equivalent to the Idempotency-Key header.';
export const GIVES_BACK =
  'The idempotencyKey of an earlier update of the same property, at most 24 hours ago. Gives back what it counted, all of it or the negative by: where it counted, and to the balances that it drew from. Once for each key: a repetition returns the first response, and another amount is a conflict.';
export const OCCURRED =
  'When the usage occurred, as a date and time of RFC 3339: at most 24 hours ago and 30 seconds ahead. Defaults to now. The usage counts in the window that contains it. Limits and the returned meter are those of now. With an idempotency key it is part of the request.';
export const AGE =
  'How long ago the usage occurred, in milliseconds: at most 86,400,000, which is 24 hours. It counts at the server’s time minus the age, so your clock may be wrong. Instead of occurredAt. With an idempotency key, a retry may send another age or none.';
export const PERIOD_TYPE =
  'How usage leaves the count. fixed: a window of that length that ends now and trails behind it, so each use counts for exactly that long (elsewhere called sliding). rolling: windows of that length that follow each other, aligned to the calendar of UTC, or of the time zone in the organisation’s settings; all usage resets when the next begins (elsewhere called fixed). lifetime: one window without an end. billing: windows of months that follow each other from the day and time at which the customer’s billing period began, on the last day of shorter months; all usage resets when the next begins. Customers without a subscription or grant of the plan count by the UTC calendar.';
export const ANSWERED_PERIOD_TYPE = `${PERIOD_TYPE} Further values may be added.`;
export const REQUEST_ID = 'Include it when you contact support. Same as the X-Request-Id header.';
export const REFUSAL_CODE = 'Why exactly, for programs. Branch on it where errorType is too coarse.';
export const REASON =
  'not-in-plan: the feature’s enabled is off, or the entityId has no seat. limit-reached: the amount did not fit the limit or exceeded it or, if nothing was counted on the feature, all its meters are used up. Absent if allowed.';
export const WARNINGS_FIELD = 'Empty if there is nothing to report.';
export const CUSTOMER_IDEMPOTENCY =
  'Makes retries safe for 24 hours: the same key with the same change is made once and returns the first response. Scoped to the environment and customer. Equivalent to the Idempotency-Key header.';
export const STRIPE_SOURCE =
  'The Stripe customer that the customer is: its plans, grants, overrides and usage become the customer’s, and its ID an alias. One of each account and mode; another one replaces it. null separates the customer from those that calls or people named. The same without a call: metadata of the Stripe customer, under the integration’s key, with the customer’s ID.';
export const USER_ID =
  'Your application’s own user ID, which becomes an alias of the customer. Usage, grants and overrides under it become the customer’s. No email, and nothing that begins with cus_. null removes it.';
export const UNTIL = 'When it ends, in epoch milliseconds. null or left out: it does not end.';
export const WHY = 'Why, for the people who read the customer’s history.';
export const CORRECTED = 'Amount to add. A negative number reduces usage.';
export const METERED_PROPERTY = 'Key of one of the feature’s meterable properties.';
