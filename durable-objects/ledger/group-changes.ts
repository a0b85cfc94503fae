/** Puts changed records of many customers together, oldest first, as many as fit into one push. */
import type { CellRecord, CustomerRecords, KeyRecord, MarkRecord } from '#contracts/ledger';
import type { Changes } from './ledger-store.ts';

interface Owned<Kind> {
  readonly customer: string;
  readonly record: Kind;
  /** The version that it was given here: the record's own, or that of its relay. */
  readonly order: number;
}

export interface ChangedRecords {
  readonly cells: readonly Owned<CellRecord>[];
  readonly marks: readonly Owned<MarkRecord>[];
  readonly keys: readonly Owned<KeyRecord>[];
}

type Mutable<Records> = {
  -readonly [Kind in keyof Records]: Records[Kind] extends readonly (infer Item)[] ? Item[] : Records[Kind];
};

/**
 * @param changed of each kind the oldest, in order: all above `after`, or more than `limit` of them
 * @param after the version above which they are
 */
export function groupChanges(changed: ChangedRecords, after: number, limit: number): Changes {
  const versions = [...changed.cells, ...changed.marks, ...changed.keys]
    .map(({ order }) => order)
    .sort((one, other) => one - other);
  const isAll = versions.length <= limit;
  const upTo = versions[Math.min(limit, versions.length) - 1] ?? after;
  const customers = new Map<string, Mutable<CustomerRecords>>();
  const recordsOf = (customer: string) => {
    let records = customers.get(customer);
    if (records === undefined) {
      records = { customer, cells: [], marks: [], keys: [] };
      customers.set(customer, records);
    }
    return records;
  };
  for (const { customer, record, order } of changed.cells) {
    if (order <= upTo) recordsOf(customer).cells.push(record);
  }
  for (const { customer, record, order } of changed.marks) {
    if (order <= upTo) recordsOf(customer).marks.push(record);
  }
  for (const { customer, record, order } of changed.keys) {
    if (order <= upTo) recordsOf(customer).keys.push(record);
  }
  return { customers: [...customers.values()], upTo, isAll };
}
