/** Groups changed records by customer, oldest first, as many as fit one replication batch. */
import type {
  CustomerRecords,
  KeyRecord,
  Register,
  ResourceUse,
  UsageBucket,
} from '#contracts/internal/ledger';
import type { Changes } from './ledger-store.ts';

interface Owned<Kind> {
  readonly customer: string;
  readonly record: Kind;
  /** The local version under which it replicates: the record's own version, or its `relay` version. */
  readonly order: number;
}

export interface ChangedRecords {
  readonly buckets: readonly Owned<UsageBucket>[];
  readonly uses: readonly Owned<ResourceUse>[];
  readonly keys: readonly Owned<KeyRecord>[];
  readonly registers: readonly Owned<Register>[];
}

type Mutable<Records> = {
  -readonly [Kind in keyof Records]: Records[Kind] extends readonly (infer Item)[] ? Item[] : Records[Kind];
};

/**
 * @param changed per kind the oldest records, ordered: all above `after`, or more than `limit`
 * @param after the version above which changes are read
 */
export function groupChanges(changed: ChangedRecords, after: number, limit: number): Changes {
  const versions = [...changed.buckets, ...changed.uses, ...changed.keys, ...changed.registers]
    .map(({ order }) => order)
    .sort((one, other) => one - other);
  const isAll = versions.length <= limit;
  const upTo = versions[Math.min(limit, versions.length) - 1] ?? after;
  const customers = new Map<string, Mutable<CustomerRecords>>();
  const recordsOf = (customer: string) => {
    let records = customers.get(customer);
    if (records === undefined) {
      records = { customer, buckets: [], holds: [], keys: [] };
      customers.set(customer, records);
    }
    return records;
  };
  for (const { customer, record, order } of changed.buckets) {
    if (order <= upTo) recordsOf(customer).buckets.push(record);
  }
  for (const { customer, record, order } of changed.uses) {
    if (order <= upTo) recordsOf(customer).holds.push(record);
  }
  for (const { customer, record, order } of changed.keys) {
    if (order <= upTo) recordsOf(customer).keys.push(record);
  }
  for (const { customer, record, order } of changed.registers) {
    if (order > upTo) continue;
    const records = recordsOf(customer);
    records.registers = [...(records.registers ?? []), record];
  }
  return { customers: [...customers.values()], upTo, isAll };
}
