/** Reads a customer's ledger of a meter for the public API. */
import type { z } from 'zod';
import type { LedgerAnswer, ledgerQuerySchema } from '#contracts/public/customer-ledger';
import { MAX_GIVEN_INSTANT } from '#contracts/public/text';
import { readLedger } from '#worker/domains/customers/ledger/read-ledger';
import { invalidField } from '#worker/http/api-error';
import { findPropertyId } from './find-slugs.ts';
import { getTarget } from './find-target.ts';
import type { Provisioning } from './open-provisioning.ts';

/** @throws {ApiError} invalid-request naming customer, property or cursor; not-found; unavailable */
export async function readCustomerLedger(
  { ctx, scope, loaded, environmentId }: Provisioning,
  text: string,
  { feature, property, cursor }: z.output<typeof ledgerQuerySchema>,
): Promise<Omit<LedgerAnswer, 'status' | 'requestId'>> {
  const timeTo = cursor === undefined ? null : readCursor(cursor);
  const target = await getTarget(ctx, scope, environmentId, text);
  const propertyId = await findPropertyId({ ctx, scope, loaded }, { feature, property });
  const meter = { propertyId, feature, property };
  const { lines, usageFrom, nextTimeTo } = await readLedger(ctx, scope, environmentId, target, {
    meter,
    timeTo,
  });
  return { lines: [...lines], usageFrom, nextCursor: nextTimeTo === null ? null : String(nextTimeTo) };
}

/** An instant, whose fraction is a place within its millisecond. */
function readCursor(text: string): number {
  const at = /^\d{1,16}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(at <= MAX_GIVEN_INSTANT)) throw invalidField('cursor', 'Is no nextCursor of this call');
  return at;
}
