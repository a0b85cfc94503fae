/** Whether a balance can be drawn from now, and if not, why. */
import type { BalanceState } from '#contracts/public/balances';

interface Judged {
  /** Without what was taken back. */
  readonly amount: number;
  readonly startsAt: number;
  /** Null: no end. */
  readonly endsAt: number | null;
  readonly isFrozen: boolean;
}

/**
 * @param used null: unknown
 * @param lacksPlan it needs a plan that the customer does not have
 */
export function balanceState(
  { amount, startsAt, endsAt, isFrozen }: Judged,
  used: number | null,
  lacksPlan: boolean,
  now: number,
): BalanceState {
  if (endsAt !== null && endsAt <= now) return 'ended';
  if (amount === 0 || (used !== null && used >= amount)) return 'used-up';
  if (isFrozen) return 'frozen';
  if (startsAt > now) return 'scheduled';
  return lacksPlan ? 'needs-plan' : 'active';
}
