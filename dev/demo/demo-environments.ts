// Where the demo organisation's product runs.

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
