/** An end for calls about customers: D1, which decides them, may be silent. */
import { inTime, SilentError } from '#engine/outages/in-time';
import { systemClock } from '#runtime/clock';
import { Refusal } from '#worker/http/api-error';

/**
 * @param endsAt epoch milliseconds; what begins later is not begun
 * @throws {ApiError} unavailable at the end. A change may still be made then
 */
export async function inCallTime<Answer>(endsAt: number, work: () => Promise<Answer>): Promise<Answer> {
  const leftMs = endsAt - systemClock.now();
  if (leftMs <= 0)
    throw new Refusal(
      'unavailable',
      'no-time-left',
      'No time was left. Nothing was changed. Try again in a moment.',
    );
  try {
    return await inTime(systemClock, leftMs, 'D1', work());
  } catch (error) {
    if (!(error instanceof SilentError)) throw error;
    throw new Refusal(
      'unavailable',
      'database-silent',
      'The database did not answer in time. A change may still be made. Try again in a moment, with the same idempotency key.',
    );
  }
}
