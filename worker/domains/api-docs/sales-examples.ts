/** Examples of the calls that sell plans, and their errors. */
import type { PublicPlan } from '#contracts/public/sales';
import { ACCESS_CHECK_EXAMPLES } from './access-check-examples.ts';
import { REQUEST_ID, type Situation } from './example-shapes.ts';

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
