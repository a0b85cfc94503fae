/** Code to start with, written with the organisation's own slugs so that it compiles. */
import type { PropertyType } from '#contracts/public/values';
import type { WorkflowDependencies } from './declarations.ts';

export interface Example {
  readonly title: string;
  readonly description: string;
  readonly code: string;
}

/** Slugs and keys contain no quotes. */
const quoted = (name: string) => `'${name}'`;

/** A workflow that changes nothing, for a workflow without code. */
export function starterOf({ type }: Pick<WorkflowDependencies, 'type'>): string {
  return type === 'dynamic-provisioning'
    ? `export default function workflow(input: WorkflowInput): WorkflowResult {
  // Return the slugs of the plans to add.
  return [];
}
`
    : `export default function workflow(input: WorkflowInput): WorkflowResult {
  // Return the values to change, by property key.
  return {};
}
`;
}

/** The examples that fit the workflow's type and what the organisation has defined. */
export function examplesOf({ type, planSlugs, feature }: WorkflowDependencies): Example[] {
  if (type === 'dynamic-provisioning') {
    const [slug] = planSlugs;
    return slug === undefined ? [] : provisioningExamples(quoted(slug));
  }
  return feature === null ? [] : behaviourExamples(feature);
}

function provisioningExamples(plan: string): Example[] {
  return [
    {
      title: 'Trial by sign-up date',
      description: 'New customers get a plan for 14 days.',
      code: `const TRIAL_DAYS = 14;

export default function workflow({ customer, now }: WorkflowInput): WorkflowResult {
  if (customer.createdAt === null) return [];
  const days = (now - customer.createdAt) / (24 * 60 * 60 * 1000);
  console.log(\`Customer for \${days.toFixed(1)} days\`);
  return days < TRIAL_DAYS ? [${plan}] : [];
}
`,
    },
    {
      title: 'A plan for customers in the EU',
      description: 'Customers in the European Union get an extra plan.',
      code: `const EU = new Set([
  'AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU',
  'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK',
]);

export default function workflow({ place }: WorkflowInput): WorkflowResult {
  if (place.country === null || !EU.has(place.country)) return [];
  return { plans: [${plan}], mode: 'add' };
}
`,
    },
    {
      title: 'A plan by Stripe metadata',
      description: 'Customers with partner: yes in their Stripe metadata get this plan only.',
      code: `export default function workflow({ customer }: WorkflowInput): WorkflowResult {
  if (customer.metadata.partner !== 'yes') return [];
  return { plans: [${plan}], mode: 'replace' };
}
`,
    },
  ];
}

function behaviourExamples({ properties }: NonNullable<WorkflowDependencies['feature']>): Example[] {
  const keyOf = (type: PropertyType) => {
    // The system property is last: an example changes it only if there is no other.
    const key = properties.find((property) => property.type === type)?.propertyKey;
    return key === undefined ? null : quoted(key);
  };
  const [number, boolean, meterable] = [keyOf('number'), keyOf('boolean'), keyOf('meterable')];
  return [
    ...(number === null ? [] : [seatsByMetadata(number)]),
    ...(boolean === null ? [] : [offOutsideEurope(boolean)]),
    ...(meterable === null || boolean === null ? [] : [offNearLimit(meterable, boolean)]),
  ];
}

const seatsByMetadata = (key: string): Example => ({
  title: 'Seats by metadata',
  description: 'Takes the number from seats in the Stripe customer’s metadata.',
  code: `export default function workflow({ customer, feature }: WorkflowInput): WorkflowResult {
  const seats = Number(customer.metadata.seats);
  if (!Number.isInteger(seats)) return {};
  console.log(\`\${seats} instead of \${feature.values[${key}]}\`);
  return { ${key}: seats };
}
`,
});

const offOutsideEurope = (key: string): Example => ({
  title: 'Enabled in Europe only',
  description: 'Disables the property for calls from elsewhere.',
  code: `export default function workflow({ place, feature }: WorkflowInput): WorkflowResult {
  return { ${key}: feature.values[${key}] && place.continent === 'EU' };
}
`,
});

const offNearLimit = (meter: string, key: string): Example => ({
  title: 'Disabled near a limit',
  description: 'Disables the property once 80% of a meter is used.',
  code: `export default function workflow({ feature }: WorkflowInput): WorkflowResult {
  const meter = feature.meters[${meter}];
  if (meter === undefined || meter.limit === null) return {};
  return { ${key}: meter.used < meter.limit * 0.8 };
}
`,
});
