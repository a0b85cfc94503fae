/**
 * What an update counts beside its own meter: on another meter of the customer, or on the account of one of the customer's entities. It is
 * decided with the update, in one transaction: all is counted, or nothing.
 */
import type { AlsoCount, CounterUpdate } from '#contracts/internal/ledger';
import { isInUse } from './resource-use.ts';
import type { Account, UpdateRecords } from './update-records.ts';

/** One meter that an update counts on. */
export interface Part extends Account {
  readonly update: CounterUpdate;
}

/** One that an update counts besides. */
export interface AlsoPart extends Part {
  readonly also: AlsoCount;
}

const THOUSAND = 1000;
const NONE: readonly never[] = [];

/** The accounts of what an update also counts, in its order; null if the customer can have no further entity. */
export function accountsOf(own: Account, also: CounterUpdate['also']): readonly Account[] | null {
  if (also === undefined) return NONE;
  const accounts: Account[] = [];
  for (const { entity } of also) {
    const account = entity === undefined ? own : own.records.accountOf(entity);
    if (account === null) return null;
    accounts.push(account);
  }
  return accounts;
}

/** Whether whoever it counts for may use it. @param records of the customer's own account */
export function hasSeat(
  records: Pick<UpdateRecords, 'findUses'>,
  { seat, entity }: Pick<AlsoCount, 'seat' | 'entity'>,
): boolean {
  return seat === undefined || entity === undefined || isInUse(records.findUses(seat, entity));
}

/**
 * @param applied what the update itself counts; negative: gives back
 * @returns the update of what it also counts
 */
export function alsoUpdateOf(update: CounterUpdate, also: AlsoCount, applied: number): CounterUpdate {
  const { enforce, occurredAt, key, resourceId, release, hold } = update;
  const { propertyId, value, usageMeter, anchorAt, trialEndAt, sources, per } = also;
  const amount =
    per === undefined && resourceId !== undefined ? { resourceId, release } : { by: scaledBy(applied, per) };
  return {
    ...{ propertyId, value, usageMeter, anchorAt, trialEndAt, sources },
    ...{ enforce, occurredAt, key, hold },
    ...amount,
  };
}

/** In their order. @param accounts of accountsOf */
export function alsoPartsOf(
  { update }: Pick<Part, 'update'>,
  accounts: readonly Account[],
  applied: number,
): readonly AlsoPart[] {
  const { also = NONE } = update;
  return also.map((each, index) => ({
    ...(accounts[index] as Account),
    update: alsoUpdateOf(update, each, applied),
    also: each,
  }));
}

/** What it counts of a property on an entity's account; undefined: nothing. */
export function entitysPart(
  parts: readonly AlsoPart[],
  { propertyId }: Pick<CounterUpdate, 'propertyId'>,
): AlsoPart | undefined {
  return parts.find(({ also }) => also.entity !== undefined && also.propertyId === propertyId);
}

/**
 * Rounded up; what is given back is rounded down. Beyond 2^53 it is as large as it can be told.
 *
 * @param per thousandths
 */
export function scaledBy(amount: number, per = THOUSAND): number {
  if (per === THOUSAND) return amount;
  const product = amount * per;
  if (Number.isSafeInteger(product)) return Math.ceil(product / THOUSAND) + 0;
  const exact = BigInt(amount) * BigInt(per);
  const isRoundedUp = exact % BigInt(THOUSAND) > 0n;
  return Number(exact / BigInt(THOUSAND) + (isRoundedUp ? 1n : 0n));
}

/** The most of an update of which what it also counts is at most this. @param per thousandths */
export function unscaledBy(amount: number, per = THOUSAND): number {
  if (per === THOUSAND) return amount;
  const most = (BigInt(Math.max(0, amount)) * BigInt(THOUSAND)) / BigInt(per);
  return most > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(most);
}
