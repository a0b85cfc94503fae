/** Reads D1 where a check waits for it. Everything else waits for D1 as long as D1 does. */
import { stageEnd } from '#engine/outages/budget';
import { SilentError } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import { guardedCall } from '#runtime/guarded-call';
import { type Db, openDatabase } from './database.ts';

const D1 = 'D1';

/**
 * @param ms for this read
 * @param endsAt when the call's budget ends, epoch milliseconds; undefined outside the public API
 * @throws {SilentError} at the end @throws {BreakerOpenError} if D1 has failed too often before
 */
export function readInTime<Answer>(
  d1: D1Database,
  ms: number,
  endsAt: number | undefined,
  read: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  const now = systemClock.now();
  const leftMs = stageEnd(now, ms, endsAt) - now;
  if (leftMs <= 0) return Promise.reject(new SilentError('No time is left to ask D1'));
  return guardedCall(d1, D1, leftMs, () => read(openDatabase(d1)));
}
