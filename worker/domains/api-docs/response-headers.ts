/** The public API's response headers, as domains/access/handle-public-api.ts sends them. */
import type { DocumentedHeader } from '#contracts/public/openapi';

const text = { type: 'string' };

const REQUEST_ID: DocumentedHeader = {
  description: 'ID of the request, also in the body. Include it when you contact support.',
  required: true,
  schema: { type: 'string', pattern: '^req_[0-9a-z]{26}$' },
};

const TESSERA_TIME: DocumentedHeader = {
  description:
    'The server’s time, in milliseconds since 1970 (UTC). Correct your own clock with it before you send occurredAt, or send ageMs, which needs no clock.',
  required: true,
  schema: { ...text, pattern: '^[0-9]+$', examples: ['1767225600000'] },
};

const CACHE_CONTROL: DocumentedHeader = {
  description:
    'Browsers and proxies must not store responses. Your application can cache one until its validUntil.',
  required: true,
  schema: { ...text, const: 'no-store' },
};

const CONTENT_TYPE_OPTIONS: DocumentedHeader = {
  description: 'Browsers must treat the body as JSON.',
  required: true,
  schema: { ...text, const: 'nosniff' },
};

const SERVER_TIMING: DocumentedHeader = {
  description:
    'Time spent, in milliseconds: auth (API key), snapshot (environment), ledger (usage), evaluate (everything else), and workflows if any ran. See https://www.w3.org/TR/server-timing/.',
  required: true,
  schema: { ...text, examples: ['auth;dur=0.1, snapshot;dur=0.0, ledger;dur=2.4, evaluate;dur=0.2'] },
};

const RETRY_AFTER: DocumentedHeader = {
  description: 'Seconds to wait before retrying.',
  required: true,
  schema: { ...text, pattern: '^[0-9]+$', examples: ['1'] },
};

/** Of a success: only if something was beyond a limit. */
export const RETRY_PARTS_AFTER: DocumentedHeader = {
  ...RETRY_AFTER,
  description: 'If changes were beyond the pace: seconds after which all of them can be sent again.',
  required: false,
};

const seconds = { ...text, pattern: '^[0-9]+$' };

/** These names are part of version 1, so RateLimit and RateLimit-Policy of the newer IETF draft are not added. */
const RATE_LIMIT: Readonly<Record<string, DocumentedHeader>> = {
  'RateLimit-Limit': {
    description:
      'Calls per minute allowed for the key, or for each client of a public key. With usage-blocked: per calendar month (UTC).',
    schema: { ...seconds, examples: ['600'] },
  },
  'RateLimit-Remaining': {
    description:
      'Maximum number of calls left in this period. Servers share counts with a delay, so the actual number can be lower. 0 if the call was refused.',
    schema: { ...seconds, examples: ['599'] },
  },
  'RateLimit-Reset': {
    description:
      'Seconds until the limit resets: the end of the minute or, with usage-blocked, of the month.',
    schema: { ...seconds, examples: ['42'] },
  },
};

const WWW_AUTHENTICATE: DocumentedHeader = {
  description: 'The authentication scheme.',
  required: true,
  schema: { ...text, const: 'Bearer' },
};

/** Of calls whose answer the client may have already. */
export const ETAG: DocumentedHeader = {
  description: 'Names the values. Send it as If-None-Match to receive them only if they have changed.',
  required: true,
  schema: { ...text, pattern: '^W/"[0-9a-f]{32}"$' },
};

const ALLOW_ORIGIN: DocumentedHeader = {
  description: 'For browsers: pages of any origin may read the response.',
  schema: { ...text, const: '*' },
};

const EXPOSE_HEADERS: DocumentedHeader = {
  description: 'For browsers: the response headers that a page may read.',
  schema: text,
};

export function headersOf(status: number): Record<string, DocumentedHeader> {
  return {
    'X-Request-Id': REQUEST_ID,
    'Tessera-Time': TESSERA_TIME,
    'Cache-Control': CACHE_CONTROL,
    'X-Content-Type-Options': CONTENT_TYPE_OPTIONS,
    ...(status === 200 ? { 'Server-Timing': SERVER_TIMING } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(status === 200 || status === 429 ? RATE_LIMIT : {}),
    'Access-Control-Allow-Origin': ALLOW_ORIGIN,
    'Access-Control-Expose-Headers': EXPOSE_HEADERS,
  };
}
