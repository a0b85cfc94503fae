// Acme's twelve products: plans, and add-ons. One is archived.

export interface DemoProduct {
  /** Prefix of its prices' lookup keys: `starter_monthly`. */
  tier: string;
  name: string;
  description: string;
  /** Monthly price in pence. */
  monthlyMinor: number;
  unitLabel?: string;
  isRetired?: boolean;
}

/** The first eight are plans, the others add-ons. */
export const demoProducts: readonly DemoProduct[] = [
  { tier: 'Starter', name: 'Acme Starter', description: 'One project, for one person.', monthlyMinor: 900 },
  { tier: 'Pro', name: 'Acme Pro', description: 'Everything a small team needs.', monthlyMinor: 2900 },
  { tier: 'Team', name: 'Acme Team', description: 'Shared dashboards and roles.', monthlyMinor: 7900 },
  {
    tier: 'Business',
    name: 'Acme Business',
    description: 'Audit log and single sign-on.',
    monthlyMinor: 19_900,
  },
  {
    tier: 'Enterprise',
    name: 'Acme Enterprise',
    description: 'With a contract and a contact.',
    monthlyMinor: 89_900,
  },
  {
    tier: 'Education',
    name: 'Acme for Education',
    description: 'For schools and universities.',
    monthlyMinor: 400,
  },
  { tier: 'Nonprofit', name: 'Acme for Non-profits', description: 'For charities.', monthlyMinor: 500 },
  {
    tier: 'Classic',
    name: 'Acme Classic',
    description: 'The plan of the first years; no longer sold.',
    monthlyMinor: 1900,
    isRetired: true,
  },
  {
    tier: 'Seats',
    name: 'Extra seats',
    description: 'One more person in the team.',
    monthlyMinor: 800,
    unitLabel: 'seat',
  },
  {
    tier: 'Exports',
    name: 'Scheduled exports',
    description: 'Data to your own storage, nightly.',
    monthlyMinor: 1500,
  },
  {
    tier: 'Retention',
    name: 'Long retention',
    description: 'Keeps five years instead of one.',
    monthlyMinor: 2500,
  },
  {
    tier: 'Support',
    name: 'Priority support',
    description: 'A response within two hours.',
    monthlyMinor: 12_000,
  },
];
