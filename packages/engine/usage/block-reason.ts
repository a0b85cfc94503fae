/** Whether an organisation's block applies. Every reader asks here: blocks of past months are stored until the schedule tidies up. */
import { isPastMonth } from './calendar.ts';

/**
 * The block's reason, or null if nothing is blocked.
 * @param reason as stored; null: there is no block
 * @param monthAt start of the month of a usage block, which ends with it. Null or undefined: the block lasts until it is lifted
 */
export function activeBlockReason(
  reason: string | null,
  monthAt: number | null | undefined,
  now: number,
): string | null {
  return monthAt != null && isPastMonth(monthAt, now) ? null : reason;
}
