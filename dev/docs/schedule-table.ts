/** The parts of the schedule, from worker/index.ts and the domains that have several. */
import { handlersOf } from './read-tables.ts';

const TABLES = [
  ['worker/domains/billing/run-billing-schedule.ts', 'BILLING_SCHEDULE'],
  ['worker/domains/integrations/stripe/run-stripe-schedule.ts', 'STRIPE_SCHEDULE'],
  ['worker/index.ts', 'SCHEDULE'],
] as const;

export function scheduleTable(): string {
  const rows = TABLES.flatMap(([path, constant]) =>
    [...handlersOf(path, constant)].map(([part, file]) => `| \`${part}\` | \`${file}\` |`),
  );
  return ['| part | file |', '|---|---|', ...rows].join('\n');
}
