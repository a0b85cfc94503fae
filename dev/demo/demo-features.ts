// Features of the demo organisation, an analytics company: seven features with all four property types, of which one is paid with credits.
import type { FeatureSpec, PropertySpec } from '../workspace/build-workspace.ts';
import { seats } from './demo-values.ts';

export interface DemoFeature extends Omit<FeatureSpec, 'properties'> {
  readonly properties: readonly DemoProperty[];
}

interface DemoProperty extends Omit<PropertySpec, 'costs'> {
  /** What each one costs of another property of the feature. */
  readonly costs?: { readonly of: string; readonly per: number };
}

const wholeNumber = (min: number, max: number) => ({ min, max, allowDecimal: false });

export const demoFeatures: readonly DemoFeature[] = [
  {
    name: 'Dashboards',
    slug: 'dashboards',
    description: 'Charts and tables that a team looks at together.',
    properties: [
      {
        name: 'Dashboards',
        propertyKey: 'maxDashboards',
        type: 'number',
        value: 1,
        bounds: wholeNumber(0, 10_000),
      },
      { name: 'Public sharing', propertyKey: 'publicSharing', type: 'boolean', value: false },
      {
        name: 'Refresh interval',
        propertyKey: 'refreshSeconds',
        description: 'Seconds between data refreshes. If several plans apply, the shortest interval wins.',
        type: 'number',
        value: 86_400,
        bounds: wholeNumber(5, 86_400),
        conflictResolution: 'lower',
      },
    ],
  },
  {
    name: 'Data exports',
    slug: 'data-exports',
    description: 'Files with the raw data behind a chart.',
    properties: [
      { name: 'Exports', propertyKey: 'exports', type: 'meterable', value: { state: 'off' } },
      { name: 'Formats', propertyKey: 'formats', type: 'string', value: 'csv' },
    ],
  },
  {
    name: 'API access',
    slug: 'api-access',
    description: 'Run queries from your own code.',
    properties: [
      { name: 'Requests', propertyKey: 'requests', type: 'meterable', value: { state: 'off' } },
      {
        name: 'Requests a second',
        propertyKey: 'requestsPerSecond',
        type: 'number',
        value: 1,
        bounds: { min: 0.1, max: 1000, allowDecimal: true },
      },
    ],
  },
  {
    name: 'Team seats',
    slug: 'team-seats',
    description: 'How many people share one workspace.',
    properties: [
      {
        name: 'Seats',
        propertyKey: 'seats',
        description: 'Seats of a plan and of its add-ons add up.',
        type: 'meterable',
        value: seats(1),
        conflictResolution: 'sum',
      },
      {
        name: 'Guests',
        propertyKey: 'guests',
        description: 'People who may look only.',
        type: 'boolean',
        value: false,
      },
    ],
  },
  {
    name: 'Ask AI',
    slug: 'ask-ai',
    description: 'Answers in plain words. Each takes credits.',
    properties: [
      { name: 'Credits', propertyKey: 'credits', type: 'meterable', value: { state: 'off' } },
      {
        name: 'Questions',
        propertyKey: 'questions',
        type: 'meterable',
        value: { state: 'off' },
        costs: { of: 'credits', per: 1 },
      },
      {
        name: 'Reports',
        propertyKey: 'reports',
        type: 'meterable',
        value: { state: 'off' },
        costs: { of: 'credits', per: 10 },
      },
    ],
  },
  {
    name: 'Single sign-on',
    slug: 'single-sign-on',
    description: 'Sign-in through the identity provider of the company.',
    properties: [
      { name: 'Protocol', propertyKey: 'protocol', type: 'string', value: 'none' },
      { name: 'Directory sync', propertyKey: 'directorySync', type: 'boolean', value: false },
    ],
  },
  {
    name: 'Support',
    slug: 'support',
    description: 'Support channels and response times.',
    properties: [
      { name: 'Channel', propertyKey: 'channel', type: 'string', value: 'community' },
      {
        name: 'First response',
        propertyKey: 'firstAnswerHours',
        description: 'Hours until the first response. If several plans apply, the shortest wins.',
        type: 'number',
        value: 168,
        bounds: wholeNumber(1, 168),
        conflictResolution: 'lower',
      },
    ],
  },
];
