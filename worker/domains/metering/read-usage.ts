/**
 * What a customer has used, for the meters of an answer. An isolate remembers a reading for a second, for requests that
 * say that they can live with that; and where no ledger can be reached the answer is given without, with a warning.
 */
import type { LedgerRead, LedgerReading } from '#contracts/ledger';
import type { Location } from '#contracts/locations';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { Warning } from '#contracts/subjects';
import { warningOf } from '#contracts/warnings';
import type { Readings } from '#engine/entitlements/render-features';
import type { Env } from '#worker/env';
import { log } from '#worker/platform/log';
import { askLedger, type LedgerQuestion } from './ask-ledger.ts';

export type Consistency = 'bounded' | 'local' | 'strict';

export interface Usage {
  readonly readings: Readings;
  /** Where it was read; null from memory, or nowhere. */
  readonly location: Location | null;
}

interface Remembered {
  readonly at: number;
  readonly readings: Map<string, LedgerReading>;
}

const REMEMBERED_FOR_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const NOTHING: Usage = { readings: new Map(), location: null };

const remembered = new Map<string, Remembered>();

export async function readUsage(
  env: Env,
  snapshot: EnvironmentSnapshot,
  question: Omit<LedgerQuestion, 'updates' | 'isStrict'> & { readonly consistency: Consistency },
  warnings: Warning[],
): Promise<Usage> {
  const { customer, reads, now, consistency } = question;
  const name = `${snapshot.environmentId} ${customer}`;
  if (consistency === 'bounded') {
    const known = remembered.get(name);
    if (known !== undefined && now - known.at <= REMEMBERED_FOR_MS && hasAll(known, reads)) {
      return { readings: known.readings, location: null };
    }
  }
  try {
    const isStrict = consistency === 'strict';
    const report = await askLedger(env, snapshot, { ...question, isStrict, updates: [] });
    const readings = byProperty(reads, report.readings);
    if (!report.isWhole) warnings.push(INCOMPLETE);
    if (consistency === 'bounded') remember(name, { at: now, readings });
    return { readings, location: report.location };
  } catch (error) {
    log.warn('usage could not be read', { environmentId: snapshot.environmentId, error });
    warnings.push(UNKNOWN);
    return NOTHING;
  }
}

export function byProperty(
  reads: readonly LedgerRead[],
  readings: readonly LedgerReading[],
): Map<string, LedgerReading> {
  const found = new Map<string, LedgerReading>();
  for (const [index, { propertyId }] of reads.entries()) {
    const reading = readings[index];
    if (reading !== undefined) found.set(propertyId, reading);
  }
  return found;
}

export const INCOMPLETE = warningOf('usage-incomplete');
const UNKNOWN = warningOf('usage-unknown');

function hasAll({ readings }: Remembered, reads: readonly LedgerRead[]): boolean {
  return reads.every(({ propertyId }) => readings.has(propertyId));
}

function remember(name: string, entry: Remembered): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, entry);
}
