/**
 * Entities of which a customer's ledgers have erased what was counted. Each ledger writes that it has done so, in a register of the
 * customer's account: records from before come back from no other location, and what is counted from then on counts from 0. The registers go
 * once all locations have them, and messages of before have ended.
 */
import type { CustomerRecords, Register, UsageBucket } from '#contracts/internal/ledger';
import { MINUTE_MS } from '../durations.ts';
import { bucketEnd, minuteOf } from '../metering/bucket-widths.ts';
import { DECISIONS_KEPT_MS } from './conflicting-decisions.ts';

/** The kind of their registers, whose name is the entity. */
export const ERASED = 'erased';
/** A hold that counted on the account can be settled for so long. */
const KEPT_MS = 2 * DECISIONS_KEPT_MS;

/** With what was counted in the minute, which is in one bucket with what was counted before. */
export function eraseInstant(now: number): number {
  return (minuteOf(now) + 1) * MINUTE_MS;
}

/** @param before epoch milliseconds: all that was counted until then is erased */
export function erasedRegister(
  { entity, before }: { readonly entity: string; readonly before: number },
  origin: string,
  now: number,
): Omit<Register, 'version'> {
  return {
    ...{ kind: ERASED, name: entity, origin, stamp: before },
    ...{ isOpen: false, until: now + KEPT_MS, body: '{}' },
  };
}

/** Epoch milliseconds; 0 if nothing was. @param registers of one entity, of all origins */
export function erasedBefore(registers: readonly Pick<Register, 'stamp'>[]): number {
  return registers.reduce((last, { stamp }) => Math.max(last, stamp), 0);
}

/** One that is in part of later is kept. */
export function isErasedBucket(
  { start, width }: Pick<UsageBucket, 'start' | 'width'>,
  before: number,
): boolean {
  return bucketEnd(width, start) * MINUTE_MS <= before;
}

/** What is left of an entity's records. */
export function withoutErased(records: CustomerRecords, before: number): CustomerRecords {
  if (before === 0) return records;
  const { buckets, holds, registers } = records;
  return {
    ...records,
    buckets: buckets.filter((each) => !isErasedBucket(each, before)),
    holds: holds.filter(({ stamp }) => stamp >= before),
    ...(registers && { registers: registers.filter(({ stamp }) => stamp >= before) }),
  };
}
