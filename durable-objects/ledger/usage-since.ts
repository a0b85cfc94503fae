/** When an identifier was first used. Decides whether an email has older usage than a Stripe customer with that email. */
import { MINUTE_MS } from '#engine/durations';
import { bucketEnd } from '#engine/metering/bucket-widths';
import type { LedgerRows } from './ledger-rows.ts';
import type { RecordReader } from './record-reader.ts';

/**
 * Epoch milliseconds; null without usage, and for an alias, which has none of its own. Records that another location has
 * counted may be older than their customer's row here: a bucket counts at its end.
 */
export function usageSince(rows: LedgerRows, reader: RecordReader, identifier: string): number | null {
  const customer = rows.findCustomer(identifier);
  if (customer === null || reader.aliasRowOf(customer) !== null) return null;
  const { since, used } = rows.sql
    .exec<{ since: number | null; used: number | null }>(
      'SELECT since, (SELECT min(at) FROM mark WHERE customer = ?1) AS used FROM customer WHERE id = ?1',
      customer,
    )
    .one();
  const ends = reader.bucketsOf(customer).map(({ start, width }) => bucketEnd(width, start) * MINUTE_MS);
  if (ends.length === 0 && used === null) return null;
  return ends.reduce((least, end) => Math.min(least, end), Math.min(since ?? Infinity, used ?? Infinity));
}
