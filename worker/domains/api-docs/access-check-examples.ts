/** Access check examples: one for each situation that a client must expect. */
import type { AccessCheckAnswer, AccessChecksAnswer } from '#contracts/public/access';
import { warningOf } from '#contracts/public/warnings';
import {
  type CheckSituation,
  exportsMeter,
  NEXT_MONTH,
  NOW,
  REQUEST_ID,
  type Situation,
  seatsMeter,
  TOKEN,
  USER,
} from './example-shapes.ts';
import { invalid } from './refusal-examples.ts';

const base = {
  status: 'success',
  requestId: REQUEST_ID,
  version: { artifactId: 'art_01ka9y4m7ew2c1x8d5b0hq6zsn', number: 12 },
  asOf: NOW,
  validUntil: NOW + 60_000,
} as const;

const NOT_IN_PLAN = { allowed: false, reason: 'not-in-plan' } as const;

const FREE = {
  dashboards: { properties: { enabled: true, maxDashboards: 3, publicSharing: false }, allowed: true },
} satisfies AccessCheckAnswer['features'];

const ANONYMOUS: AccessCheckAnswer = {
  ...base,
  identity: { isAuthenticated: false, method: 'anonymous' },
  customer: { isCustomer: false, plans: ['free'] },
  warnings: [],
  features: {
    ...FREE,
    'data-exports': {
      properties: { enabled: false, exports: { state: 'off', allowed: false }, formats: 'csv' },
      ...NOT_IN_PLAN,
    },
    'team-seats': {
      properties: { enabled: false, seats: { state: 'off', allowed: false }, guests: false },
      ...NOT_IN_PLAN,
    },
  },
};

const registered = (method: 'identifier' | 'jwt', features: AccessCheckAnswer['features']) => ({
  ...base,
  identity: { isAuthenticated: true, method },
  customer: { isCustomer: false, plans: ['team'] },
  warnings: [],
  features,
});

const TEAM = {
  dashboards: { properties: { enabled: true, maxDashboards: 25, publicSharing: true }, allowed: true },
  'data-exports': {
    properties: { enabled: true, exports: exportsMeter(42), formats: 'csv,xlsx' },
    allowed: true,
  },
  'team-seats': { properties: { enabled: true, seats: seatsMeter(4), guests: true }, allowed: true },
} satisfies AccessCheckAnswer['features'];

const exportsOf = (used: number): AccessCheckAnswer['features'] => ({
  'data-exports': {
    properties: { enabled: true, exports: exportsMeter(used), formats: 'csv,xlsx' },
    ...(used < 100 ? { allowed: true } : { allowed: false, reason: 'limit-reached' }),
  },
});

export const ACCESS_CHECK_EXAMPLES: Readonly<Record<string, CheckSituation>> = {
  anonymous: {
    summary: 'Anonymous session',
    description: 'Nobody is signed in. Plans granted to anonymous sessions apply.',
    key: 'public',
    request: {},
    answer: ANONYMOUS,
  },
  registeredUser: {
    summary: 'Registered user',
    description: 'Called from your server, which knows who is signed in. Requires a secret key.',
    key: 'secret',
    request: { userIdentifier: USER },
    answer: registered('identifier', TEAM),
  },
  stripeCustomer: {
    summary: 'Customer of your Stripe account',
    description:
      'Identified by Stripe customer ID or email. Both are the same customer, with the plans of their subscriptions.',
    key: 'secret',
    request: { userIdentifier: 'cus_NffrFeUfNV2Hib', features: ['dashboards'] },
    answer: {
      ...registered('identifier', { dashboards: TEAM.dashboards }),
      customer: { isCustomer: true, plans: ['team'] },
    },
  },
  subscriptions: {
    summary: 'State of the subscriptions',
    description:
      'Returns the customer’s subscriptions as well: for a banner about a failed payment, or the days left of a trial.',
    key: 'secret',
    request: { userIdentifier: 'cus_NffrFeUfNV2Hib', features: ['dashboards'], include: ['subscriptions'] },
    answer: {
      ...registered('identifier', { dashboards: TEAM.dashboards }),
      customer: {
        isCustomer: true,
        plans: ['team'],
        subscriptions: [
          {
            id: 'sub_1MowQVLkdIwHu7ix',
            status: 'past_due',
            isGranting: true,
            accessEndsAt: null,
            reason: null,
            trialEndAt: null,
            cancelAt: null,
            currentPeriodEndAt: NEXT_MONTH,
            isPaused: false,
            items: [
              {
                product: 'prod_NWjs8kKbJWmuuc',
                price: 'price_1MoBy5LkdIwHu7ix',
                quantity: 7,
                currentPeriodEndAt: NEXT_MONTH,
              },
            ],
          },
        ],
      },
    },
  },
  token: {
    summary: 'Signed token (JWT)',
    description:
      'Called from a browser or app with your auth provider’s token. A public key is enough because the token is signed.',
    key: 'public',
    request: { userJwt: TOKEN },
    answer: registered('jwt', TEAM),
  },
  tokenExpired: {
    summary: 'Token that cannot be verified',
    description: 'Not an error: the subject is anonymous and a warning explains why.',
    key: 'public',
    request: { userJwt: TOKEN },
    answer: { ...ANONYMOUS, warnings: [warningOf('jwt-expired')] },
  },
  someFeatures: {
    summary: 'Some features only',
    description: 'Returns only the features you name. Unknown slugs are omitted with a warning.',
    key: 'secret',
    request: { userIdentifier: USER, features: ['data-exports', 'dark-mode'] },
    answer: {
      ...registered('identifier', exportsOf(42)),
      warnings: [warningOf('feature-unknown', 'dark-mode')],
    },
  },
  context: {
    summary: 'With context for workflows',
    description:
      'Workflows receive it as input.context. Without workflows it changes nothing; it is recorded with the event.',
    key: 'secret',
    request: { userIdentifier: USER, features: ['data-exports'], context: { device: 'mobile', beta: true } },
    answer: registered('identifier', exportsOf(42)),
  },
  consume: {
    summary: 'Check and consume usage',
    description: 'Checks and counts in one call. The amount is consumed only if it fits the limit.',
    key: 'secret',
    request: {
      userIdentifier: USER,
      features: ['data-exports'],
      consume: { feature: 'data-exports', property: 'exports', by: 1, idempotencyKey: 'export-8840' },
    },
    answer: {
      ...registered('identifier', exportsOf(43)),
      consumed: { accepted: true, replayed: false, applied: 1, ...exportsMeter(43) },
    },
  },
  consumeResource: {
    summary: 'Check and consume a unique resource',
    description:
      'For meters of unique resources, such as seats: resourceId says which one. Sent again, it is accepted and counts once.',
    key: 'secret',
    request: {
      userIdentifier: USER,
      features: ['team-seats'],
      consume: { feature: 'team-seats', property: 'seats', resourceId: 'user-208' },
    },
    answer: {
      ...registered('identifier', {
        'team-seats': { properties: { enabled: true, seats: seatsMeter(5), guests: true }, allowed: true },
      }),
      consumed: { accepted: true, replayed: false, applied: 1, ...seatsMeter(5) },
    },
  },
  limitReached: {
    summary: 'Limit reached',
    description:
      'Denied is a 200, not an error: the feature’s allowed is false with the reason limit-reached, accepted is false, and nothing was consumed.',
    key: 'secret',
    request: {
      userIdentifier: USER,
      features: ['data-exports'],
      consume: { feature: 'data-exports', property: 'exports', by: 1 },
    },
    answer: {
      ...registered('identifier', exportsOf(100)),
      consumed: { accepted: false, replayed: false, applied: 0, ...exportsMeter(100) },
    },
  },
  explained: {
    summary: 'With explanation',
    description: 'Shows which plan set each value, and why. Intended for debugging: the response is larger.',
    key: 'secret',
    query: 'explain=1',
    request: { userIdentifier: USER, features: ['dashboards'] },
    answer: {
      ...registered('identifier', { dashboards: TEAM.dashboards }),
      explanation: [
        {
          feature: 'dashboards',
          property: 'enabled',
          value: true,
          decidedBy: ['team'],
          reason: "Set by the plan 'team'.",
          candidates: [{ plan: 'team', value: true, from: [{ kind: 'authenticated-users' }] }],
        },
        {
          feature: 'dashboards',
          property: 'maxDashboards',
          value: 25,
          decidedBy: ['team'],
          reason: "Set by the plan 'team'.",
          candidates: [{ plan: 'team', value: 25, from: [{ kind: 'authenticated-users' }] }],
        },
        {
          feature: 'dashboards',
          property: 'publicSharing',
          value: true,
          decidedBy: ['team'],
          reason: "Set by the plan 'team'.",
          candidates: [{ plan: 'team', value: true, from: [{ kind: 'authenticated-users' }] }],
        },
      ],
      names: { asked: USER, customer: USER, aliases: [], sharedWith: [] },
    },
  },
};

const batch = (...results: AccessChecksAnswer['results']): AccessChecksAnswer => ({
  status: 'success',
  requestId: REQUEST_ID,
  results,
});
const DASHBOARDS = { dashboards: TEAM.dashboards };

export const ACCESS_CHECKS_EXAMPLES: Readonly<Record<string, Situation<unknown, AccessChecksAnswer>>> = {
  users: {
    summary: 'Several users',
    description: 'One feature of each, for example for a list of members. Requires a secret key.',
    key: 'secret',
    request: {
      features: ['dashboards'],
      checks: [{ userIdentifier: USER }, { userIdentifier: 'eve@example.com' }, {}],
    },
    answer: batch(registered('identifier', DASHBOARDS), registered('identifier', DASHBOARDS), {
      ...ANONYMOUS,
      features: FREE,
    }),
  },
  partlyInvalid: {
    summary: 'One check fails',
    description: 'The others are answered. The response is a 200; the failed check has its error.',
    key: 'secret',
    request: {
      features: ['dashboards'],
      checks: [{ userIdentifier: USER }, { userIdentifier: ' eve@example.com' }],
    },
    answer: batch(
      registered('identifier', DASHBOARDS),
      invalid('A space', 'userIdentifier', 'Must not begin or end with white space').answer,
    ),
  },
  tokens: {
    summary: 'Users by token',
    description: 'With a public key, signed tokens identify users.',
    key: 'public',
    request: { features: ['dashboards'], checks: [{ userJwt: TOKEN }] },
    answer: batch(registered('jwt', DASHBOARDS)),
  },
};
