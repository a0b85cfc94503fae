// What the demo organisation sells: the features, plans and environments of an imaginary analytics product, over all
// four types of properties. Values are given by feature slug and property key.
import type { PropertyType, PropertyValue } from '#contracts/values';

export interface DemoProperty {
  name: string;
  propertyKey: string;
  description?: string;
  type: PropertyType;
  value: PropertyValue;
  bounds?: { min?: number; max?: number; allowDecimal: boolean };
  conflictResolution?: 'higher' | 'lower';
}

export interface DemoFeature {
  name: string;
  slug: string;
  description: string;
  properties: readonly DemoProperty[];
}

/** [feature slug, [property key, value] ...]: a feature that is named is part of the plan. */
export type DemoPlanValues = readonly (readonly [string, readonly (readonly [string, PropertyValue])[]])[];

export interface DemoPlan {
  name: string;
  slug: string;
  description: string;
  grantToAnonymousSessions: boolean;
  grantToAuthenticatedUsers: boolean;
  values: DemoPlanValues;
}

const perMonth = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'rolling', periodCount: 1, periodLength: 'month', uniqueResourceIds: false },
});

const seats = (limit: number): PropertyValue => ({
  state: 'metered',
  meter: { limit, periodType: 'lifetime', uniqueResourceIds: true },
});

const unlimited: PropertyValue = { state: 'on' };
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
        description: 'Seconds between two readings of the data; the shortest interval of all plans holds.',
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
    description: 'Queries by program instead of by hand.',
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
      { name: 'Seats', propertyKey: 'seats', type: 'meterable', value: seats(1) },
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
    description: 'Where questions go, and how soon they are answered.',
    properties: [
      { name: 'Channel', propertyKey: 'channel', type: 'string', value: 'community' },
      {
        name: 'First answer',
        propertyKey: 'firstAnswerHours',
        description: 'Hours until somebody answers; the shortest of all plans holds.',
        type: 'number',
        value: 168,
        bounds: wholeNumber(1, 168),
        conflictResolution: 'lower',
      },
    ],
  },
];

const teamValues: DemoPlanValues = [
  [
    'dashboards',
    [
      ['maxDashboards', 25],
      ['publicSharing', true],
      ['refreshSeconds', 300],
    ],
  ],
  [
    'data-exports',
    [
      ['exports', perMonth(100)],
      ['formats', 'csv,xlsx'],
    ],
  ],
  [
    'api-access',
    [
      ['requests', perMonth(10_000)],
      ['requestsPerSecond', 10],
    ],
  ],
  [
    'team-seats',
    [
      ['seats', seats(10)],
      ['guests', true],
    ],
  ],
  [
    'support',
    [
      ['channel', 'e-mail'],
      ['firstAnswerHours', 24],
    ],
  ],
];

export const demoPlans: readonly DemoPlan[] = [
  {
    name: 'Free',
    slug: 'free',
    description: 'For a first look, without an account.',
    grantToAnonymousSessions: true,
    grantToAuthenticatedUsers: false,
    values: [
      ['dashboards', [['maxDashboards', 3]]],
      ['support', []],
    ],
  },
  {
    name: 'Team',
    slug: 'team',
    description: 'For everybody who has signed up.',
    grantToAnonymousSessions: false,
    grantToAuthenticatedUsers: true,
    values: teamValues,
  },
  {
    name: 'Enterprise',
    slug: 'enterprise',
    description: 'For companies with rules of their own.',
    grantToAnonymousSessions: false,
    grantToAuthenticatedUsers: false,
    values: [
      [
        'dashboards',
        [
          ['maxDashboards', 10_000],
          ['publicSharing', true],
          ['refreshSeconds', 15],
        ],
      ],
      [
        'data-exports',
        [
          ['exports', unlimited],
          ['formats', 'csv,xlsx,parquet'],
        ],
      ],
      [
        'api-access',
        [
          ['requests', unlimited],
          ['requestsPerSecond', 250],
        ],
      ],
      [
        'team-seats',
        [
          ['seats', unlimited],
          ['guests', true],
        ],
      ],
      [
        'single-sign-on',
        [
          ['protocol', 'saml'],
          ['directorySync', true],
        ],
      ],
      [
        'support',
        [
          ['channel', 'telephone'],
          ['firstAnswerHours', 2],
        ],
      ],
    ],
  },
];

/** What version 2 changes: the Team plan gets more requests and exports. */
export const secondVersion = {
  planSlug: 'team',
  values: teamValues.map(([feature, values]) =>
    feature === 'api-access'
      ? ([
          feature,
          [
            ['requests', perMonth(25_000)],
            ['requestsPerSecond', 20],
          ],
        ] as const)
      : ([feature, values] as const),
  ),
};

export const demoEnvironments = [
  {
    name: 'Production',
    type: 'live',
    description: 'What customers use.',
    url: 'https://app.acme-analytics.example',
  },
  {
    name: 'Staging',
    type: 'test',
    description: 'Where the next release is tried.',
    url: 'https://staging.acme-analytics.example',
  },
] as const;
