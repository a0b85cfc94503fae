/** Replaces what is between the markers of a page with the table that is made from code. */
import { d1Tables } from './d1-tables.ts';
import { logLineTable } from './log-lines.ts';
import { objectTables } from './object-tables.ts';
import { errorCodes, refusalCodes, warningCodes } from './public-codes.ts';
import { messageTable, queueTable } from './queue-tables.ts';
import { handlersOf } from './read-tables.ts';

const TABLES: Readonly<Record<string, () => string | Promise<string>>> = {
  'D1 tables': d1Tables,
  'object tables': objectTables,
  queues: queueTable,
  messages: messageTable,
  schedule: scheduleTable,
  errors: errorCodes,
  'error codes': refusalCodes,
  warnings: warningCodes,
  'log lines': logLineTable,
};

const marked = /<!-- made from code: ([^>]+) -->\n[\s\S]*?<!-- end -->/g;

/** @throws for a marker with an unknown name */
export async function withTables(page: string): Promise<string> {
  const texts = new Map<string, string>();
  for (const [, name = ''] of page.matchAll(marked)) {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`No table is called "${name}"`);
    texts.set(name, await table());
  }
  return page.replace(
    marked,
    (_, name: string) => `<!-- made from code: ${name} -->\n\n${texts.get(name)}\n\n<!-- end -->`,
  );
}

/** The schedule's parts are in worker/index.ts and in the domains that have several. */
const SCHEDULES = [
  ['worker/domains/billing/run-billing-schedule.ts', 'BILLING_SCHEDULE'],
  ['worker/domains/integrations/stripe/run-stripe-schedule.ts', 'STRIPE_SCHEDULE'],
  ['worker/index.ts', 'SCHEDULE'],
] as const;

function scheduleTable(): string {
  const rows = SCHEDULES.flatMap(([path, constant]) =>
    [...handlersOf(path, constant)].map(([part, file]) => `| \`${part}\` | \`${file}\` |`),
  );
  return ['| part | file |', '|---|---|', ...rows].join('\n');
}
