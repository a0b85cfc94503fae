/** Examples of the calls for OpenFeature, and their errors. */
import type { OfrepError, OfrepFlag } from '#contracts/public/ofrep';
import { FLAG_NOT_FOUND, ofrepError } from '#engine/access/ofrep-error';
import { NOW, type Refusal, type Situation, TOKEN, USER } from './example-shapes.ts';
import { invalid, refusal, SHARED_REFUSALS } from './refusal-examples.ts';

type Examples = Readonly<Record<string, Situation<unknown, unknown>>>;

const PATH = '/ofrep/v1/evaluate/flags';

const metadata = { isAuthenticated: true, plans: 'team', validUntil: NOW + 60_000 };
const variantOf = (value: OfrepFlag['value'], deciding: string) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : deciding;
const match = (key: string, value: OfrepFlag['value'], plan = 'team'): OfrepFlag => ({
  key,
  value,
  reason: 'TARGETING_MATCH',
  variant: variantOf(value, plan),
  metadata: {},
});
const byDefault = (key: string, value: OfrepFlag['value']): OfrepFlag => ({
  key,
  value,
  reason: 'DEFAULT',
  variant: variantOf(value, 'default'),
  metadata: {},
});
const off = { allowed: false, used: null, limit: null, remaining: null };
const context = { targetingKey: USER };

const ANONYMOUS_FLAGS: OfrepFlag[] = [
  match('dashboards', true),
  match('dashboards.enabled', true),
  byDefault('dashboards.maxDashboards', 3),
  byDefault('dashboards.publicSharing', false),
  match('data-exports', false),
  byDefault('data-exports.enabled', false),
  byDefault('data-exports.exports', off),
  byDefault('data-exports.formats', 'csv'),
  match('team-seats', false),
  byDefault('team-seats.enabled', false),
  byDefault('team-seats.seats', off),
  byDefault('team-seats.guests', false),
];

export const EVALUATE_FLAGS_EXAMPLES: Examples = {
  anonymous: {
    summary: 'All flags of an anonymous session',
    description: 'What a web provider asks for when nobody is signed in. The ETag header names the values.',
    key: 'public',
    request: { context: {} },
    answer: {
      flags: ANONYMOUS_FLAGS,
      metadata: { isAuthenticated: false, plans: 'free', validUntil: NOW + 60_000 },
    },
  },
};

export const EVALUATE_FLAG_EXAMPLES: Examples = {
  verdict: {
    summary: 'Whether a feature is allowed',
    description:
      'The slug alone is the feature’s verdict. Call from your server: targetingKey names the user.',
    key: 'secret',
    path: `${PATH}/dashboards`,
    request: { context },
    answer: { ...match('dashboards', true), metadata },
  },
  property: {
    summary: 'A property',
    description: 'The key is feature.property. Properties may contain dots; slugs have none.',
    key: 'secret',
    path: `${PATH}/dashboards.maxDashboards`,
    request: { context },
    answer: { ...match('dashboards.maxDashboards', 25), metadata },
  },
  meter: {
    summary: 'A meter',
    description: 'An object with what is allowed, used and left.',
    key: 'secret',
    path: `${PATH}/team-seats.seats`,
    request: { context: { targetingKey: 'grace@example.com' } },
    answer: {
      ...match('team-seats.seats', { allowed: true, used: 0, limit: 10, remaining: 10 }),
      metadata,
    },
  },
  token: {
    summary: 'With a signed token',
    description:
      'With a public key, context.userJwt identifies the user. A targetingKey beside it is ignored.',
    key: 'public',
    path: `${PATH}/dashboards.publicSharing`,
    request: { context: { userJwt: TOKEN } },
    answer: { ...match('dashboards.publicSharing', true), metadata },
  },
};

const missingKey = invalid('An empty targetingKey', 'context.targetingKey', 'Must not be empty');
const { unknownField, twoSubjects, needsSecretKey, usageUnavailable, ...SHARED } = SHARED_REFUSALS;

export const EVALUATE_FLAGS_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...SHARED,
  missingKey,
  contextInvalid: invalid('A context that is no object', 'context', 'Must be an object'),
};
export const EVALUATE_FLAG_REFUSALS: Readonly<Record<string, Refusal>> = {
  ...EVALUATE_FLAGS_REFUSALS,
  flagUnknown: refusal('An unknown flag', 'flag-unknown', FLAG_NOT_FOUND),
};

/** A refusal as these calls answer it. @param path of the operation */
export function ofrepRefusal({ answer }: Refusal, path: string): OfrepError {
  return ofrepError(
    answer,
    `https://tessera.example${path.replace(':key', answer.errorType === 'not-found' ? 'dashboards.width' : 'dashboards')}`,
  );
}
