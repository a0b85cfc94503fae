/** What the console says of the status of a subscription at Stripe. */
import type { StoredSubscription } from '#contracts/stripe';
import { GRANTING_STATUSES } from '#engine/entitlements/active-products';
import type { Tone } from '../ui/tone-word.tsx';

const STATUS_WORDS: Readonly<Record<StoredSubscription['status'], string>> = {
  active: 'Active',
  trialing: 'Trialing',
  past_due: 'Past due',
  incomplete: 'Incomplete',
  incomplete_expired: 'Expired',
  unpaid: 'Unpaid',
  paused: 'Paused',
  canceled: 'Cancelled',
  unknown: 'Unknown',
};

export const statusWords = (status: StoredSubscription['status']): string => STATUS_WORDS[status];

/** Whether a subscription of this status grants its plans, as far as a colour can say it. */
export function statusTone(status: StoredSubscription['status']): Tone {
  if (!GRANTING_STATUSES.has(status)) return 'quiet';
  return status === 'past_due' ? 'waiting' : 'good';
}
