/** How each state of a subscription is called on the screen, and whether it is well. */
import type { SubscriptionStatus } from '#contracts/billing';

export interface StatusWords {
  readonly label: string;
  readonly kind: 'good' | 'waiting' | 'bad';
}

export const STATUS_WORDS: Readonly<Record<SubscriptionStatus, StatusWords>> = {
  active: { label: 'Active', kind: 'good' },
  trialing: { label: 'On trial', kind: 'good' },
  past_due: { label: 'Payment overdue', kind: 'waiting' },
  incomplete: { label: 'First payment open', kind: 'waiting' },
  unpaid: { label: 'Unpaid', kind: 'bad' },
  paused: { label: 'Paused', kind: 'bad' },
  canceled: { label: 'Ended', kind: 'bad' },
  incomplete_expired: { label: 'Never paid', kind: 'bad' },
  unknown: { label: 'Unclear', kind: 'waiting' },
};
