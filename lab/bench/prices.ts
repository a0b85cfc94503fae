// Published prices, and what a month of some usage costs at them. Read on 22 November 2026:
//   https://developers.cloudflare.com/workers/platform/pricing/ (requests, CPU time, queues, D1)
//   https://developers.cloudflare.com/durable-objects/platform/pricing/ (object requests, duration, rows, storage)
// The subscription of 5 USD and all included amounts are left out: at the rates of the model they do not matter.

export const PRICES_READ_ON = '22 November 2026';

/** USD. */
export const PRICES = {
  requests: { name: 'Worker requests', unit: 1e6, usd: 0.3 },
  cpuMs: { name: 'CPU, ms', unit: 1e6, usd: 0.02 },
  objectRequests: { name: 'object requests', unit: 1e6, usd: 0.15 },
  objectSeconds: { name: 'object seconds, at 128 MB', unit: 1e6, usd: 12.5 * 0.128 },
  rowsRead: { name: 'rows read, of objects and D1', unit: 1e6, usd: 0.001 },
  rowsWritten: { name: 'object rows written', unit: 1e6, usd: 1 },
  queueOperations: { name: 'queue operations', unit: 1e6, usd: 0.4 },
  d1RowsWritten: { name: 'D1 rows written', unit: 1e6, usd: 1 },
  storedGb: { name: 'stored in objects, GB for a month', unit: 1, usd: 0.2 },
} as const;

/** What is priced besides, and does not follow from calls. Read on 28 November 2026. */
export const PRICED_APART: readonly (readonly [what: string, price: string])[] = [
  ['Dynamic Workers, by Worker and day', '0.002 USD, beyond 1,000 a month'],
  ['Email Service, by 1,000 mails', '0.35 USD, beyond 3,000 a month'],
  ['traces and logs, by million spans or lines', '0.60 USD, beyond 20 million a month'],
  ['R2, by GB and month', '0.015 USD; in infrequent access 0.01'],
  ['R2, by million objects written', '4.50 USD; in infrequent access 9.00'],
];

export type Resource = keyof typeof PRICES;
export type Usage = Readonly<Record<Resource, number>>;

export const RESOURCES = Object.keys(PRICES) as Resource[];

/** USD of each resource. */
export function costOf(usage: Usage): Usage {
  return mapUsage((resource) => (usage[resource] / PRICES[resource].unit) * PRICES[resource].usd);
}

export function mapUsage(amountOf: (resource: Resource) => number): Usage {
  return Object.fromEntries(RESOURCES.map((resource) => [resource, amountOf(resource)])) as Record<
    Resource,
    number
  >;
}
