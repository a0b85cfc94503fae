/** What the states of a Stripe account's subscriptions mean for access: a setting of its integration. */
import { z } from 'zod';

export const MAX_PAST_DUE_DAYS = 365;
export const MAX_DAYS_BETWEEN_RESETS = 365;

export const subscriptionPolicySchema = z.strictObject({
  /** How long a subscription that is past due keeps access; null: until Stripe ends it. */
  pastDueDays: z
    .int('Must be a whole number of days')
    .min(0, 'Must be at least 0')
    .max(MAX_PAST_DUE_DAYS, `Must be at most ${MAX_PAST_DUE_DAYS} days`)
    .nullable(),
  /** Whether one whose payment collection is paused keeps access. */
  keepsPaused: z.boolean(),
  keepsUnpaid: z.boolean(),
  /** Whether a trial grants access while the customer has no payment method. Subscriptions paid by invoice need none. */
  grantsCardlessTrials: z.boolean(),
  /**
   * What a change of the subscription's products, prices or quantities makes of billing periods: they go on with what was used, or a new one
   * begins; `proportional`: they go on, and each limit counts for its share of the period. Absent: `carry`.
   */
  onPlanChange: z.enum(['carry', 'restart', 'proportional']).optional(),
  /**
   * A subscription that begins sooner after the beginning of a billing period, in which another of the customer ended, goes on in that period,
   * and counts later ones from it. Absent: 0, each begins its own.
   */
  minDaysBetweenResets: z
    .int('Must be a whole number of days')
    .min(0, 'Must be at least 0')
    .max(MAX_DAYS_BETWEEN_RESETS, `Must be at most ${MAX_DAYS_BETWEEN_RESETS} days`)
    .optional(),
});
export type SubscriptionPolicy = z.infer<typeof subscriptionPolicySchema>;

/** What subscriptions meant before there were policies. */
export const DEFAULT_POLICY: SubscriptionPolicy = {
  pastDueDays: null,
  keepsPaused: true,
  keepsUnpaid: false,
  grantsCardlessTrials: true,
};
