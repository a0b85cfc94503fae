/** How much of what is left rolls over. */
import type { Rollover } from '#contracts/public/rollover';

/**
 * A share of it, rounded down, and no more than the most. Exact also where the product is beyond 2^53.
 * @param left a safe integer of at least 0
 */
export function rolledAmount({ max, share = 100 }: Pick<Rollover, 'max' | 'share'>, left: number): number {
  const part = Math.floor(left / 100) * share + Math.floor(((left % 100) * share) / 100);
  return max === 'all' ? part : Math.min(max, part);
}
