/** One counter update: which property it counts for, and what its ledger decided. */
import type { FactsNews } from '#contracts/customer-facts';
import type { CounterUpdate, LedgerRead } from '#contracts/ledger';
import type { EnvironmentSnapshot } from '#contracts/snapshot';
import type { PreparedArtifact, PreparedProperty } from '#engine/entitlements/prepared-artifact';
import type { Resolution } from '#engine/entitlements/resolution';
import { resolvedValue } from '#engine/entitlements/resolve';
import { type MeterAnswer, readMeter } from '#engine/metering/read-meter';
import type { Env } from '#worker/env';
import { ApiError, invalidField } from '#worker/http/api-error';
import { askLedger, type LedgerQuestion, type LedgerReport } from './ask-ledger.ts';

/** What a client asks to be counted. */
export interface Count {
  readonly feature: string;
  readonly property: string;
  readonly by?: number | undefined;
  readonly resourceId?: string | undefined;
  readonly release?: boolean | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly enforce: boolean;
}

export interface Counted {
  readonly accepted: boolean;
  readonly replayed: boolean;
  readonly meter: MeterAnswer;
  /** Also of the reads that went along. */
  readonly report: LedgerReport;
}

export type CountAnswer = Counted | { readonly outdated: FactsNews };

/**
 * @returns what is news to the question, where the property's value was made from other facts than hold: nothing is counted
 * @param path where the count stands in the request's body: empty, or `consume`
 * @throws {ApiError} invalid-request naming the field; conflict where the idempotency key was another request's;
 * unavailable
 */
export async function countUsage(
  env: Env,
  snapshot: EnvironmentSnapshot,
  resolution: Resolution,
  count: Count,
  path: string,
  question: Omit<LedgerQuestion, 'updates' | 'reads'> & { readonly reads?: readonly LedgerRead[] },
): Promise<CountAnswer> {
  const property = findMeterable(resolution.prepared, count, path);
  const report = await askLedger(env, snapshot, {
    ...question,
    updates: [updateOf(resolution, property, count)],
    reads: question.reads ?? [],
  });
  if (report.news !== undefined) return { outdated: report.news };
  const [outcome] = report.outcomes;
  switch (outcome?.kind) {
    case 'decided': {
      const { accepted, replayed, value, reading, at } = outcome;
      return { accepted, replayed, meter: readMeter(value, reading ?? undefined, at), report };
    }
    case 'conflict':
      throw new ApiError('conflict', 'The idempotencyKey was used for another request', {
        issues: [{ path: within(path, 'idempotencyKey'), message: 'Was used for another request' }],
      });
    case 'too-large':
      throw invalidField(within(path, 'by'), 'The count would become too large');
    default:
      throw new Error('The ledger did not decide the update');
  }
}

/** @throws {ApiError} invalid-request naming feature or property */
function findMeterable(
  prepared: PreparedArtifact,
  { feature, property }: Count,
  path: string,
): PreparedProperty {
  const found = prepared.featureBySlug.get(feature);
  if (found === undefined)
    throw invalidField(within(path, 'feature'), 'There is no such feature in this version');
  const entry = found.propertyByKey.get(property);
  if (entry === undefined) throw invalidField(within(path, 'property'), 'The feature has no such property');
  if (entry.type !== 'meterable')
    throw invalidField(within(path, 'property'), 'The property is not meterable');
  return entry;
}

function updateOf(resolution: Resolution, property: PreparedProperty, count: Count): CounterUpdate {
  const { by, resourceId, release, idempotencyKey, enforce } = count;
  const value = resolvedValue(resolution, property);
  if (typeof value !== 'object') throw new TypeError('A meterable property has a meterable value');
  const propertyId = property.property.id;
  return {
    propertyId,
    by,
    resourceId,
    release,
    enforce,
    value,
    // The fields themselves tell two requests apart as well as a hash of them would, and are short.
    key:
      idempotencyKey === undefined
        ? undefined
        : {
            text: idempotencyKey,
            bodyHash: JSON.stringify([propertyId, by ?? null, resourceId ?? null, release ?? false, enforce]),
          },
  };
}

function within(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}
