// Plans of the demo organisation, with their grants, linked Stripe products, and values by feature slug and property key.
import type { PlanSpec, PlanValues } from '../workspace/build-workspace.ts';
import { costing, perBillingMonth, perMonth, seats, unlimited } from './demo-values.ts';

export type DemoPlan = PlanSpec & {
  readonly values: PlanValues;
  /** Names of Stripe products that grant the plan. */
  readonly products: readonly string[];
  /** Whether the plan counts times the quantity that is subscribed to. */
  readonly timesQuantity?: boolean;
};

const teamValues = {
  dashboards: { maxDashboards: 25, publicSharing: true, refreshSeconds: 300 },
  'data-exports': { exports: perBillingMonth(100), formats: 'csv,xlsx' },
  'api-access': { requests: perMonth(10_000), requestsPerSecond: 10 },
  'team-seats': { seats: seats(10), guests: true },
  'ask-ai': { credits: perBillingMonth(200), questions: unlimited, reports: perBillingMonth(20) },
  support: { channel: 'e-mail', firstAnswerHours: 24 },
} satisfies PlanValues;

export const demoPlans: readonly DemoPlan[] = [
  {
    name: 'Free',
    slug: 'free',
    isPublic: true,
    description: 'For a first look, with or without an account.',
    grantToAnonymousSessions: true,
    grantToAuthenticatedUsers: true,
    products: [],
    values: { dashboards: { maxDashboards: 3 }, support: {} },
  },
  {
    name: 'Starter',
    slug: 'starter',
    description: 'For one person with one project.',
    products: ['Acme Starter', 'Acme for Education'],
    values: {
      dashboards: { maxDashboards: 10, refreshSeconds: 3600 },
      'data-exports': { exports: perBillingMonth(10) },
      'api-access': { requests: perMonth(1000), requestsPerSecond: 2 },
      'team-seats': {},
      support: { channel: 'e-mail', firstAnswerHours: 72 },
    },
  },
  {
    name: 'Team',
    slug: 'team',
    isPublic: true,
    description: 'For people who work together.',
    products: ['Acme Pro', 'Acme Team', 'Acme for Non-profits'],
    values: teamValues,
  },
  {
    name: 'Enterprise',
    slug: 'enterprise',
    isPublic: true,
    description: 'For companies with rules of their own.',
    products: ['Acme Business', 'Acme Enterprise'],
    values: {
      dashboards: { maxDashboards: 10_000, publicSharing: true, refreshSeconds: 15 },
      'data-exports': { exports: unlimited, formats: 'csv,xlsx,parquet' },
      'api-access': { requests: unlimited, requestsPerSecond: 250 },
      'team-seats': { seats: unlimited, guests: true },
      'ask-ai': { credits: perBillingMonth(5_000), questions: unlimited, reports: costing(5) },
      'single-sign-on': { protocol: 'saml', directorySync: true },
      support: { channel: 'telephone', firstAnswerHours: 2 },
    },
  },
  {
    name: 'Extra seats',
    slug: 'extra-seats',
    isPublic: true,
    description: 'People beside those of the plan, sold by the seat.',
    isAddOn: true,
    products: ['Extra seats'],
    timesQuantity: true,
    values: { 'team-seats': { seats: seats(1) } },
  },
];

/** What version 2 changes: the Team plan gets more requests and exports. */
export const secondVersion = {
  note: 'Higher API limits for Team',
  planSlug: 'team',
  values: { ...teamValues, 'api-access': { requests: perMonth(25_000), requestsPerSecond: 20 } },
};
