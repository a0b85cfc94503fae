/** Examples of the calls that sell plans, and their errors. */
import type { PublicPlan } from '#contracts/public/sales';
import { ACCESS_CHECK_EXAMPLES } from './access-check-examples.ts';
import { CHANGING, WITHOUT_BODY } from './customer-examples.ts';
import { NEXT_MONTH, NOW, REQUEST_ID, type Situation } from './example-shapes.ts';
import { invalid, refusal } from './refusal-examples.ts';

type Examples = Readonly<Record<string, Situation<unknown, unknown>>>;

const property = (key: string, type: 'number' | 'boolean' | 'string', value: number | boolean | string) => ({
  ...{ key, name: key, type, value },
  display: typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value),
});
const feature = (slug: string, properties: PublicPlan['features'][number]['properties']) => ({
  ...{ slug, name: slug, description: null, properties },
});

const TEAM: PublicPlan = {
  ...{ slug: 'team', name: 'Team', description: null, isAddOn: false },
  features: [
    feature('dashboards', [
      property('maxDashboards', 'number', 25),
      property('publicSharing', 'boolean', true),
    ]),
    feature('data-exports', [
      {
        ...{ key: 'exports', name: 'exports', type: 'meterable', display: '100 / month' },
        value: {
          state: 'metered',
          meter: {
            ...{ limit: 100, periodType: 'rolling', periodCount: 1, periodLength: 'month' },
            uniqueResourceIds: false,
          },
        },
      },
      property('formats', 'string', 'csv,xlsx'),
    ]),
    feature('team-seats', [
      {
        ...{ key: 'seats', name: 'seats', type: 'meterable', display: '10 total' },
        value: { state: 'metered', meter: { limit: 10, periodType: 'lifetime', uniqueResourceIds: true } },
      },
      property('guests', 'boolean', true),
    ]),
  ],
  prices: [],
};

export const LIST_PLANS_EXAMPLES: Examples = {
  plans: {
    summary: 'The plans of a pricing page',
    description:
      'Send the ETag of the response as If-None-Match: as long as nothing has changed, the response is a 304.',
    key: 'public',
    answer: {
      status: 'success',
      requestId: REQUEST_ID,
      version: ACCESS_CHECK_EXAMPLES.registeredUser?.answer.version,
      plans: [TEAM],
    },
  },
};

const PATH = '/api/v1/customers/acme-42';
const page = {
  ...{ status: 'success', requestId: REQUEST_ID, customer: 'acme-42' },
  stripeCustomer: 'cus_9s6XKzkNRiz8i3',
};
const mayNotOpen = refusal(
  'A key without the permission',
  'managing-key-required',
  'Selling to customers requires a secret key with the permission to manage customers',
);

export const OPEN_CHECKOUT = {
  situations: {
    subscribe: {
      summary: 'Subscribe to a plan',
      description: 'Send the customer to url. The plan follows once Stripe reports the subscription.',
      key: 'secret',
      path: `${PATH}/checkout`,
      request: {
        ...{ price: 'price_1MoBy5LkdIwHu7ix', quantity: 3, successUrl: 'https://app.example/welcome' },
        ...{ cancelUrl: 'https://app.example/pricing', idempotencyKey: 'upgrade-7' },
      },
      answer: {
        ...page,
        url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3',
        ...{ expiresAt: NOW + 86_400_000, replayed: false },
      },
    },
  },
  refusals: {
    ...CHANGING,
    mayNotChange: mayNotOpen,
    notHttps: invalid(
      'An address without https',
      'successUrl',
      'Must be an address that begins with https://, or http on localhost',
    ),
    notSold: invalid(
      'A price that is not sold',
      'price',
      'Gives no plan of the deployed version, and is no top-up, in this environment',
      'price-not-sold',
    ),
  },
} as const;

export const OPEN_PORTAL = {
  situations: {
    portal: {
      summary: 'Open the portal',
      description: 'Stripe does not say when the page ends: send the customer there at once.',
      key: 'secret',
      path: `${PATH}/portal`,
      request: { returnUrl: 'https://app.example/account' },
      answer: {
        ...page,
        url: 'https://billing.stripe.com/p/session/live_YWNjdF8x',
        ...{ expiresAt: null, replayed: false },
      },
    },
  },
  refusals: {
    ...CHANGING,
    mayNotChange: mayNotOpen,
    nobody: refusal(
      'A customer that has never paid',
      'stripe-customer-needed',
      'The customer is nobody in Stripe yet. Open a checkout first',
    ),
  },
} as const;

export const PREVIEW_PURCHASE = {
  situations: {
    upgrade: {
      summary: 'An upgrade in the middle of a month',
      description: 'Half of the old plan’s month is given back, half of the new one’s is charged.',
      key: 'secret',
      path: `${PATH}/preview`,
      query: 'price=price_1MoBy5LkdIwHu7ix',
      answer: {
        ...page,
        ...{ currency: 'eur', dueNow: 1500, credit: 0, replaces: 'price_1MotwRLkdIwHu7ixYcPLm5uZ' },
        lines: [
          { description: 'Unused time on Starter after 16 Nov 2026', amount: -950 },
          { description: 'Remaining time on Team after 16 Nov 2026', amount: 2450 },
        ],
        next: { amount: 4900, at: NEXT_MONTH },
      },
    },
  },
  refusals: {
    ...WITHOUT_BODY,
    mayNotChange: mayNotOpen,
    notSold: invalid(
      'A price that is not sold',
      'price',
      'Gives no plan of the deployed version, and is no top-up, in this environment',
      'price-not-sold',
    ),
  },
} as const;
