/** Labels and colours of Stripe's subscription statuses. */
import type { StoredSubscription } from '#contracts/console/stripe';
import { grantsByDefault } from '#engine/entitlements/subscription-access';
import type { Tone } from '#web/ui/labels/status-label.tsx';

const STATUS_LABELS: Readonly<Record<StoredSubscription['status'], string>> = {
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

export const statusLabel = (status: StoredSubscription['status']): string => STATUS_LABELS[status];

/** Whether a subscription with this status grants its plans, as a colour. */
export function statusTone(status: StoredSubscription['status']): Tone {
  if (!grantsByDefault(status)) return 'quiet';
  return status === 'past_due' ? 'waiting' : 'good';
}
