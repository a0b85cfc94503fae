/** The public API's response headers, as domains/access/handle-public-api.ts sends them. */
import type { DocumentedHeader } from '#contracts/public/openapi';

const text = { type: 'string' };

const REQUEST_ID: DocumentedHeader = {
  description: 'Id of this call, also in the body. Quote it when you ask us about it.',
  required: true,
  schema: { type: 'string', pattern: '^req_[0-9a-z]{26}$' },
};

const CACHE_CONTROL: DocumentedHeader = {
  description:
    'Answers belong to one caller: no browser or proxy stores them. Keep one until its validUntil.',
  required: true,
  schema: { ...text, const: 'no-store' },
};

const CONTENT_TYPE_OPTIONS: DocumentedHeader = {
  description: 'Browsers take the body for nothing but JSON.',
  required: true,
  schema: { ...text, const: 'nosniff' },
};

const SERVER_TIMING: DocumentedHeader = {
  description:
    'Where the time went, in milliseconds: auth (the key), snapshot (the environment), ledger (the usage), evaluate (the rest). See https://www.w3.org/TR/server-timing/.',
  required: true,
  schema: { ...text, examples: ['auth;dur=0.1, snapshot;dur=0.0, ledger;dur=2.4, evaluate;dur=0.2'] },
};

const RETRY_AFTER: DocumentedHeader = {
  description: 'Seconds to wait before it is worth sending the request again.',
  required: true,
  schema: { ...text, pattern: '^[0-9]+$', examples: ['1'] },
};

const seconds = { ...text, pattern: '^[0-9]+$' };

/**
 * The names that version 1 began with. The current draft of the IETF replaces them by RateLimit and RateLimit-Policy; one
 * family is enough, and names stay as long as the version.
 */
const RATE_LIMIT: Readonly<Record<string, DocumentedHeader>> = {
  'RateLimit-Limit': {
    description:
      'How many calls the key may make in a minute; of a public key, each client of it. With usage-blocked: in a calendar month (UTC).',
    schema: { ...seconds, examples: ['600'] },
  },
  'RateLimit-Remaining': {
    description:
      'At most so many are left. Counts are kept by each server and shared with a delay, so fewer may be; 0 where the call was refused.',
    schema: { ...seconds, examples: ['599'] },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the minute ends; with usage-blocked, the month.',
    schema: { ...seconds, examples: ['42'] },
  },
};

const WWW_AUTHENTICATE: DocumentedHeader = {
  description: 'How to identify yourself.',
  required: true,
  schema: { ...text, const: 'Bearer' },
};

const ALLOW_ORIGIN: DocumentedHeader = {
  description: 'Sent to browsers: pages of every origin may read the answer.',
  schema: { ...text, const: '*' },
};

const EXPOSE_HEADERS: DocumentedHeader = {
  description: 'Sent to browsers: which of these headers a page may read.',
  schema: text,
};

export function headersOf(status: number): Record<string, DocumentedHeader> {
  return {
    'X-Request-Id': REQUEST_ID,
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
