/** A ledger's readings, which come in the order of the reads, by the property that each belongs to. */
import type { LedgerRead, LedgerReading } from '#contracts/internal/ledger';
import type { Readings } from '../entitlements/render-features.ts';
import { readingKey } from '../metering/reading-key.ts';

interface ByProperty {
  readonly reads: readonly LedgerRead[];
  readonly readings: Readings;
}

const byReadings = new WeakMap<readonly LedgerReading[], ByProperty>();

/** One result for the same lists, so that what is rendered from it can be remembered. @param readings one per read */
export function byProperty(reads: readonly LedgerRead[], readings: readonly LedgerReading[]): Readings {
  const known = byReadings.get(readings);
  if (known?.reads === reads) return known.readings;
  const found = new Map<string, LedgerReading>();
  for (const [index, read] of reads.entries()) {
    const reading = readings[index];
    if (reading !== undefined) found.set(readingKey(read), reading);
  }
  byReadings.set(readings, { reads, readings: found });
  return found;
}
