/**
 * What a customer has used, for the meters of an answer. An isolate remembers a reading for a second, for requests that
 * say that they can live with that; and where no ledger can be reached the answer is given without, with a warning.
 */
import type { FactsNews } from '#contracts/customer-facts';
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
  /** What the ledger has to say of the customer, where the question went by other facts. */
  readonly news?: FactsNews | undefined;
}

interface Remembered {
  readonly at: number;
  readonly readings: Map<string, LedgerReading>;
  /** Of what was known of the customer, and confirmed together with the readings. */
  readonly factsVersion: number | undefined;
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
    if (known !== undefined && now - known.at <= REMEMBERED_FOR_MS && hasAll(known, question)) {
      return { readings: known.readings, location: null };
    }
  }
  try {
    const isStrict = consistency === 'strict';
    const report = await askLedger(env, snapshot, { ...question, isStrict, updates: [] });
    const readings = byProperty(reads, report.readings);
    const { location, news } = report;
    if (!report.isWhole) warnOnce(warnings, INCOMPLETE);
    if (consistency === 'bounded' && news === undefined) {
      remember(name, { at: now, readings, factsVersion: question.facts?.version });
    }
    return { readings, location, news };
  } catch (error) {
    log.warn('usage could not be read', { environmentId: snapshot.environmentId, error });
    warnOnce(warnings, UNKNOWN);
    if (question.facts !== undefined && question.facts.version <= 0) warnOnce(warnings, FACTS_UNKNOWN);
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
const FACTS_UNKNOWN = warningOf('customer-facts-unknown');

/** A ledger may be asked more than once for one answer. */
export function warnOnce(warnings: Warning[], warning: Warning): void {
  if (!warnings.includes(warning)) warnings.push(warning);
}

function hasAll(
  { readings, factsVersion }: Remembered,
  { reads, facts }: Pick<LedgerQuestion, 'reads' | 'facts'>,
): boolean {
  return factsVersion === facts?.version && reads.every(({ propertyId }) => readings.has(propertyId));
}

function remember(name: string, entry: Remembered): void {
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, entry);
}
