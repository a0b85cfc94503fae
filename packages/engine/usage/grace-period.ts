/**
 * The grace period after a plan has fallen from Grow to Build: Build's allowance refuses nothing until it ends, although this month's
 * calls may exceed it already.
 */
import { DAY_MS } from '#engine/durations';
import { nextMonthOf } from './calendar.ts';

/** What is stored of the last fall. Instants are epoch milliseconds. */
export interface StoredFall {
  readonly fellAt: number | null;
  readonly graceUntil: number | null;
}

/** It ends with the calendar month if that is sooner, since the allowance then renews. */
export const GRACE_DAYS = 7;
/** A plan that falls again within these days gets no other grace period, so switching plans does not renew it. */
const APART_DAYS = 30;

/** What is stored when Grow is lost. @param isFall false: the plan was Build already */
export function fallOf(
  { fellAt }: Pick<StoredFall, 'fellAt'>,
  isFall: boolean,
  now: number,
): { readonly fellAt: number; readonly graceUntil?: number } {
  const isGranted = isFall && (fellAt === null || now >= fellAt + APART_DAYS * DAY_MS);
  const graceUntil = Math.min(now + GRACE_DAYS * DAY_MS, nextMonthOf(now));
  return { fellAt: now, ...(isGranted ? { graceUntil } : {}) };
}

/** The end of the current grace period. */
export function currentGrace({ graceUntil }: Pick<StoredFall, 'graceUntil'>, now: number): number | null {
  return graceUntil !== null && now < graceUntil ? graceUntil : null;
}
