// Stripe's errors, with the shapes and messages of https://docs.stripe.com/api/errors. Thrown anywhere in a handler;
// `handle-api-request.ts` renders the response.

/** The `error` of a response body. */
export interface ErrorBody {
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error' | 'card_error';
  message: string;
  code?: string;
  param?: string;
  doc_url?: string;
  decline_code?: string;
  payment_intent?: object;
}

export class StripeError extends Error {
  override readonly name = 'StripeError';
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: ErrorBody, headers: Readonly<Record<string, string>> = {}) {
    super(body.message);
    this.status = status;
    const docUrl = body.code ? { doc_url: `https://stripe.com/docs/error-codes/${dashed(body.code)}` } : {};
    this.body = { ...body, ...docUrl };
    this.headers = headers;
  }
}

function dashed(code: string): string {
  return code.replaceAll('_', '-');
}

/** 400: invalid request. */
export function invalidRequest(
  message: string,
  details: { param?: string; code?: string } = {},
): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...details });
}

/**
 * 404 if the id is in the path (`param` is `id`), 400 if it is a parameter.
 *
 * @param elsewhere the mode in which the object exists; null for neither
 */
export function resourceMissing(
  kind: string,
  id: string,
  param = 'id',
  elsewhere: 'test' | 'live' | null = null,
): StripeError {
  const body = { type: 'invalid_request_error', code: 'resource_missing', param } as const;
  const hint =
    elsewhere === null
      ? ''
      : `; a similar object exists in ${elsewhere} mode, but a ${elsewhere === 'test' ? 'live' : 'test'} mode key was used to make this request.`;
  return new StripeError(param === 'id' ? 404 : 400, { ...body, message: `No such ${kind}: '${id}'${hint}` });
}

export function parameterMissing(param: string): StripeError {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

export function unknownPath(method: string, path: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message:
      `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at ` +
      'https://support.stripe.com/.',
  });
}

export function noKey(): StripeError {
  const message =
    'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth ' +
    "(e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or " +
    'we can help at https://support.stripe.com/.';
  return unauthorised({ type: 'invalid_request_error', message });
}

export function unknownKey(key: string): StripeError {
  return unauthorised({
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${maskKey(key)}`,
  });
}

export function expiredKey(key: string): StripeError {
  return unauthorised({
    type: 'invalid_request_error',
    code: 'api_key_expired',
    message: `Expired API Key provided: ${maskKey(key)}`,
  });
}

function unauthorised(body: ErrorBody): StripeError {
  return new StripeError(401, body, { 'www-authenticate': 'Basic realm="Stripe"' });
}

export function lacksPermission(key: string, accountId: string, permission: string): StripeError {
  return new StripeError(403, {
    type: 'invalid_request_error',
    message:
      `The provided key '${maskKey(key)}' does not have the required permissions for this endpoint on account ` +
      `'${accountId}'. Having the '${permission}' permission would allow this request to continue.`,
  });
}

export function foreignAccount(accountId: string): StripeError {
  return new StripeError(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message:
      `The provided key does not have access to account '${accountId}' (or that account does not exist). Application ` +
      'access may have been revoked.',
  });
}

export function tooManyRequests(livemode: boolean, retryAfterS: number): StripeError {
  const message = livemode
    ? 'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.'
    : 'Testmode request rate limit exceeded, the rate limits in testmode are lower than livemode. You can learn more ' +
      'about rate limits here https://stripe.com/docs/rate-limits.';
  return new StripeError(
    429,
    { type: 'invalid_request_error', code: 'rate_limit', message },
    { 'retry-after': String(retryAfterS), 'stripe-rate-limited-reason': 'global-rate' },
  );
}

export function otherParameters(idempotencyKey: string): StripeError {
  return new StripeError(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a ' +
      `key other than '${idempotencyKey}' if you meant to execute a different request.`,
  });
}

/** 409: another request with the same idempotency key is in progress. */
export function keyInUse(idempotencyKey: string): StripeError {
  return new StripeError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotent Key (that probably means you submitted ' +
      `twice, and the other request is still going through): ${idempotencyKey}. Please try again later.`,
  });
}

export function brokenServer(): StripeError {
  return new StripeError(500, {
    type: 'api_error',
    message: 'An unknown error occurred. (Injected by the emulator’s fault settings.)',
  });
}

/** `sk_test_emulator_acme` becomes `sk_test_*********acme`. */
export function maskKey(key: string): string {
  const [prefix = ''] = /^[a-z]+_(test|live)_/.exec(key) ?? [];
  const hidden = Math.max(0, key.length - prefix.length - 4);
  return `${prefix}${'*'.repeat(hidden)}${key.slice(prefix.length + hidden)}`;
}
